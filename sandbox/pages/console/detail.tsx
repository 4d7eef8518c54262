import type { ComponentChildren } from "preact";
import { Link } from "./forms.tsx";

interface DetailProps<Known> {
  /** The list's view, and the text of the link back. */
  list: string;
  back: string;
  /** The loaded record: null if it doesn't exist, undefined until the response. */
  known: Known | null | undefined;
  /** True if the loaded record is the open one. */
  isOpen: (known: Known) => boolean;
  missing: string;
  /** Its heading has the id `detail-title`. */
  children: (known: Known) => ComponentChildren;
}

export function Detail<Known extends object>(props: DetailProps<Known>) {
  const { list, back, known, isOpen, missing, children } = props;
  const shown = known && isOpen(known) ? known : undefined;
  return (
    <section class="detail-pane" aria-labelledby={shown && "detail-title"}>
      <h1 class="back">
        <Link to={`/${list}`}>{back}</Link>
      </h1>
      {shown ? children(shown) : <p class="empty">{known === null ? missing : "Loading…"}</p>}
    </section>
  );
}

type Fact = readonly [name: string, value: ComponentChildren];

/** Facts by name. Facts without a value are omitted. */
export const Facts = ({ rows }: { rows: readonly Fact[] }) => (
  <dl class="facts">
    {rows
      .filter(([, value]) => value || value === 0)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
