/**
 * A page as a function of what is known: `render` changes only what differs, so focus, selection and scrolling stay.
 * Texts only ever become text nodes and attributes; nothing that comes from elsewhere is read as HTML.
 */

/**
 * @typedef {(event: Event) => void} Listener
 * @typedef {string | number | boolean | null | undefined} Attribute
 * @typedef {{ [listener: `on${string}`]: Listener, [attribute: string]: Attribute | Listener }} Properties
 * @typedef {{ tag: string, properties: Properties, children: Child[] }} Described
 * @typedef {Described | string | number} Child
 * @typedef {Child | null | undefined | false | List} Children
 * @typedef {Children[]} List
 */

const svgNamespace = "http://www.w3.org/2000/svg";

/**
 * What was set on an element before.
 * @type {WeakMap<Node, { tag: string, properties: Properties }>}
 */
const known = new WeakMap();

/**
 * Describes an element. Of its properties `key` tells it from its siblings, `on…` are listeners, `value` and `checked` of
 * a field are where it begins, and the rest are attributes; null and false leave one out.
 * @param {string} tag
 * @param {Properties | null} properties
 * @param {...Children} children
 * @returns {Described}
 */
export function h(tag, properties, ...children) {
  return { tag, properties: properties ?? {}, children: shown(children) };
}

/**
 * What there is of some children, which may be lists, or nothing where something doesn't hold.
 * @param {Children[]} children
 * @returns {Child[]}
 */
function shown(children) {
  return children.flatMap((child) => {
    if (Array.isArray(child)) return shown(child);
    return child === null || child === undefined || child === false ? [] : [child];
  });
}

/**
 * Makes the element's children what is described.
 * @param {Element} parent
 * @param {...Children} described
 */
export function render(parent, ...described) {
  const wanted = shown(described);
  const left = new Set(parent.childNodes);
  let place = parent.firstChild;
  for (const child of wanted) {
    const node = matching(left, child) ?? create(parent, child);
    left.delete(node);
    if (node === place) place = place.nextSibling;
    else parent.insertBefore(node, place);
    update(node, child);
  }
  for (const node of left) node.remove();
}

/**
 * @param {Set<ChildNode>} nodes
 * @param {Child} child
 */
function matching(nodes, child) {
  for (const node of nodes) {
    if (isText(child) ? node.nodeType === Node.TEXT_NODE : isSame(node, child)) return node;
  }
  return undefined;
}

/** @param {Child} child */
const isText = (child) => typeof child !== "object";

/**
 * @param {Node} node
 * @param {Described} child
 */
function isSame(node, { tag, properties }) {
  const before = known.get(node);
  return before !== undefined && before.tag === tag && before.properties.key === properties.key;
}

/**
 * @param {Element} parent
 * @param {Child} child
 */
function create(parent, child) {
  if (isText(child)) return document.createTextNode("");
  const isSvg = child.tag === "svg" || parent.namespaceURI === svgNamespace;
  const node = isSvg ? document.createElementNS(svgNamespace, child.tag) : document.createElement(child.tag);
  const { value, checked } = child.properties;
  known.set(node, { tag: child.tag, properties: { key: child.properties.key } });
  if (node instanceof HTMLInputElement) {
    if (checked !== undefined) node.checked = checked === true;
    if (value !== undefined) node.value = String(value ?? "");
  }
  return node;
}

/**
 * @param {Node} node
 * @param {Child} child
 */
function update(node, child) {
  if (isText(child)) {
    const text = String(child);
    if (node.nodeValue !== text) node.nodeValue = text;
    return;
  }
  if (!(node instanceof Element)) return;
  const before = known.get(node)?.properties ?? {};
  for (const [name, value] of Object.entries(child.properties)) {
    if (before[name] !== value) set(node, name, before[name], value);
  }
  for (const name of Object.keys(before)) {
    if (!(name in child.properties)) set(node, name, before[name], null);
  }
  known.set(node, child);
  render(node, ...child.children);
  // A choice can be made only once its options are there.
  if (node instanceof HTMLSelectElement && before.value !== child.properties.value)
    node.value = String(child.properties.value ?? "");
}

/** Fields of which people change the value. */
const fields = ["input", "select", "textarea"];

/**
 * @param {Element} node
 * @param {string} name
 * @param {Attribute | Listener} before
 * @param {Attribute | Listener} value
 */
function set(node, name, before, value) {
  if (name === "key" || (name === "value" && fields.includes(node.localName))) return;
  if (name === "checked") {
    if (node instanceof HTMLInputElement) node.checked = value === true;
    return;
  }
  if (name.startsWith("on")) {
    const kind = name.slice(2);
    if (typeof before === "function") node.removeEventListener(kind, before);
    if (typeof value === "function") node.addEventListener(kind, value);
    return;
  }
  if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : String(value));
}

/**
 * An element that the page has in any case.
 * @param {string} id
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no #${id}`);
  return found;
}
