/** A list view: filters, states with counts, a page of rows, and the open item. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Page } from "../../console/types.ts";
import { pageSize } from "./asking.ts";
import { amount, nameOf } from "./format.tsx";
import { Button, Choice, Input, Link, type Option } from "./forms.tsx";
import { refresh } from "./polling.ts";
import { change, type ListName, type Search, state } from "./state.ts";

/** Sets filters and returns to the first page. An empty text removes a filter. */
export function narrow(name: ListName, more: Search): void {
  const search = { ...state.search[name], ...more };
  setSearch(name, Object.fromEntries(Object.entries(search).filter(([, value]) => value !== "")));
}

function setSearch(name: ListName, search: Search) {
  change({ search: { ...state.search, [name]: search }, offset: { ...state.offset, [name]: 0 } });
  void refresh();
}

const isNarrowed = (name: ListName) => Object.keys(state.search[name]).length > 0;

/** A filter by one of a few values. */
interface Filter {
  field: string;
  label: string;
  options: readonly Option[];
}

interface ListProps<Item> {
  name: ListName;
  list: Page<Item> | undefined;
  title: string;
  /** The fields that the text filter searches. */
  searched: string;
  filters: readonly Filter[];
  states?: Filter;
  /** Before the filters; between filters and rows; below the rows. */
  first?: ComponentChildren;
  above?: ComponentChildren;
  below?: ComponentChildren;
  none: string;
  row: (item: Item) => ComponentChildren;
  /** The open item, if any; otherwise what opening one shows. */
  detail: ComponentChildren;
  intro: { title: string; words: string; more?: ComponentChildren };
}

export function ListView<Item>(props: ListProps<Item>) {
  const { name, states, above, below, detail, intro } = props;
  const isWide = states !== undefined;
  return (
    <main id="main" class={`split ${isWide ? "wide-list" : ""} ${detail ? "with-detail" : ""}`}>
      <section class="list-pane" aria-labelledby={`${name}-title`}>
        <ListHead {...props} />
        {above}
        {states && <States name={name} {...states} />}
        <Rows {...props} />
        {below}
      </section>
      {detail || (
        <section class="detail-pane idle">
          <div class="intro">
            <h2>{intro.title}</h2>
            <p class="quiet">{intro.words}</p>
            {intro.more}
          </div>
        </section>
      )}
    </main>
  );
}

function ListHead<Item>({ name, list, title, searched, first, filters }: ListProps<Item>) {
  // On a phone the filters are initially hidden.
  const [isOpen, setOpen] = useState(false);
  const { text = "", delivery_id } = state.search[name];
  return (
    <div class="list-head">
      <div class="title-line">
        <h1 id={`${name}-title`}>{title}</h1>
        <span class="quiet count">{list && amount(list.total)}</span>
        {isNarrowed(name) && (
          <Button class="link" onClick={() => setSearch(name, {})}>
            Clear filters
          </Button>
        )}
        <Button class="filters-switch" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Filters
        </Button>
      </div>
      <search class={isOpen ? "filters open" : "filters"}>
        <Input
          label="Search"
          class="search-field"
          type="search"
          value={text}
          placeholder={searched}
          onInput={({ currentTarget }) => narrow(name, { text: currentTarget.value })}
        />
        {first}
        {filters.map((filter) => (
          <FilterField key={filter.field} name={name} {...filter} />
        ))}
        <TimeFields name={name} />
      </search>
      {delivery_id && (
        <p class="narrowed">
          {"Only delivery "}
          <Link to={`/deliveries/${delivery_id}`}>
            <code>{delivery_id.slice(0, 8)}</code>
          </Link>
          <Button class="link" onClick={() => narrow(name, { delivery_id: "" })}>
            Show all
          </Button>
        </p>
      )}
    </div>
  );
}

const FilterField = ({ name, field, label, options }: Filter & { name: ListName }) => (
  <Choice
    label={label}
    value={state.search[name][field] ?? ""}
    options={[["", "All"], ...options]}
    onChosen={(value) => narrow(name, { [field]: value })}
  />
);

const spans: readonly Option[] = [
  ["", "Any time"],
  ["300", "Last 5 minutes"],
  ["3600", "Last hour"],
  ["86400", "Last day"],
  ["between", "Between…"],
];
const ends: readonly Option[] = [
  ["from", "From"],
  ["to", "To"],
];

function TimeFields({ name }: { name: ListName }) {
  const { time = "", ...search } = state.search[name];
  return (
    <>
      <Choice
        label="Time"
        value={time}
        options={spans}
        onChosen={(chosen) => narrow(name, { time: chosen, from: "", to: "" })}
      />
      {time === "between" &&
        ends.map(([end, label]) => (
          <Input
            key={end}
            label={label}
            type="datetime-local"
            step={1}
            value={search[end] ?? ""}
            onChange={({ currentTarget }) => narrow(name, { [end]: currentTarget.value })}
          />
        ))}
    </>
  );
}

export const integratorOptions = (): Option[] =>
  (state.overview?.integrators ?? []).map((one) => [one.client_id, nameOf(one)]);

export const byIntegrator = () => ({
  field: "client_id",
  label: "Integrator",
  options: integratorOptions(),
});

function States({ name, field, label, options }: Filter & { name: ListName }) {
  const chosen = state.search[name][field] ?? "";
  const counts = state[name]?.by_state ?? {};
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const shown: Option[] = [["", "All"], ...options];
  return (
    <fieldset class="states" aria-label={label}>
      {shown.map(([value, words]) => (
        <Button key={value} aria-pressed={chosen === value} onClick={() => narrow(name, { [field]: value })}>
          {`${words} `}
          <span class="quiet">{amount(value === "" ? all : (counts[value] ?? 0))}</span>
        </Button>
      ))}
    </fieldset>
  );
}

/** The rows, or why there are none. */
function Rows<Item>({ name, list, none, row }: ListProps<Item>) {
  if (list === undefined) return <p class="empty">Loading…</p>;
  const { items, total } = list;
  if (items.length === 0)
    return <p class="empty">{isNarrowed(name) ? "Nothing matches the filters." : none}</p>;
  const offset = state.offset[name];
  const end = offset + items.length;
  const move = (by: number) => {
    change({ offset: { ...state.offset, [name]: Math.max(0, offset + by) } });
    scrollTo(0, 0);
    void refresh();
  };
  return (
    <>
      <ul class="rows">{items.map(row)}</ul>
      <nav class="pager" aria-label="Pages">
        <p class="quiet" role="status">
          {`${amount(offset + 1)}–${amount(end)} of ${amount(total)}${offset > 0 ? ", paused" : ""}`}
        </p>
        <Button disabled={offset === 0} onClick={() => move(-pageSize)}>
          Newer
        </Button>
        <Button disabled={end >= total} onClick={() => move(pageSize)}>
          Older
        </Button>
      </nav>
    </>
  );
}

interface RowProps {
  to: string;
  isOpen: boolean;
  /** The first line. */
  children: ComponentChildren;
  /** The start and end of the second line. */
  about: string;
  end: string;
}

export const Row = ({ to, isOpen, children, about, end }: RowProps) => (
  <li>
    <Link class="row" to={to} aria-current={isOpen ? "true" : undefined}>
      <span class="row-top">{children}</span>
      <span class="row-sub quiet">
        <span>{about}</span>
        <span>{end}</span>
      </span>
    </Link>
  </li>
);
