/**
 * A page as a function of what is known: `render` changes only what differs, so focus, selection and scrolling stay.
 * Texts only ever become text nodes and attributes; nothing that comes from elsewhere is read as HTML.
 */

const svgNamespace = "http://www.w3.org/2000/svg";

/** What was set on an element before. */
const known = new WeakMap();

/**
 * Describes an element. Of its properties `key` tells it from its siblings, `on…` are listeners, `value` and `checked` of
 * a field are where it begins, and the rest are attributes; null and false leave one out.
 */
export function h(tag, properties, ...children) {
  return { tag, properties: properties ?? {}, children: shown(children) };
}

/** What there is of some children, which may be lists, or nothing where something doesn't hold. */
function shown(children) {
  return children
    .flat(Number.POSITIVE_INFINITY)
    .filter((child) => child !== null && child !== undefined && child !== false);
}

/** Makes the element's children what is described. */
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

function matching(nodes, child) {
  for (const node of nodes) {
    if (isText(child) ? node.nodeType === Node.TEXT_NODE : isSame(node, child)) return node;
  }
  return undefined;
}

const isText = (child) => typeof child !== "object";

function isSame(node, { tag, properties }) {
  const before = known.get(node);
  return before !== undefined && before.tag === tag && before.properties.key === properties.key;
}

function create(parent, child) {
  if (isText(child)) return document.createTextNode("");
  const isSvg = child.tag === "svg" || parent.namespaceURI === svgNamespace;
  const node = isSvg ? document.createElementNS(svgNamespace, child.tag) : document.createElement(child.tag);
  const { value, checked } = child.properties;
  known.set(node, { tag: child.tag, properties: { key: child.properties.key } });
  if (checked !== undefined) node.checked = checked;
  if (value !== undefined && child.tag === "input") node.value = value;
  return node;
}

function update(node, child) {
  if (isText(child)) {
    const text = String(child);
    if (node.data !== text) node.data = text;
    return;
  }
  const before = known.get(node).properties;
  for (const [name, value] of Object.entries(child.properties)) {
    if (before[name] !== value) set(node, name, before[name], value);
  }
  for (const name of Object.keys(before)) {
    if (!(name in child.properties)) set(node, name, before[name], null);
  }
  known.set(node, child);
  render(node, ...child.children);
  // A choice can be made only once its options are there.
  if (child.tag === "select" && before.value !== child.properties.value)
    node.value = child.properties.value ?? "";
}

/** Fields of which people change the value. */
const fields = ["input", "select", "textarea"];

function set(node, name, before, value) {
  if (name === "key" || (name === "value" && fields.includes(node.localName))) return;
  if (name === "checked") {
    node.checked = value;
    return;
  }
  if (name.startsWith("on")) {
    const kind = name.slice(2);
    if (before) node.removeEventListener(kind, before);
    if (value) node.addEventListener(kind, value);
    return;
  }
  if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : String(value));
}
