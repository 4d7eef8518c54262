/** Forms with their fields, buttons and links. */
import {
  type ButtonHTMLAttributes,
  type ComponentChildren,
  h,
  type PartialAnchorHTMLAttributes,
  type PartialInputHTMLAttributes,
  type TargetedSubmitEvent,
} from "preact";

interface FormProps {
  class?: string;
  onEntered: (entered: FormData, form: HTMLFormElement) => void;
  children: ComponentChildren;
}

/** A form whose values go to a function. The browser itself sends no form. */
export function Form({ class: name, onEntered, children }: FormProps) {
  const enter = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onEntered(new FormData(event.currentTarget), event.currentTarget);
  };
  return (
    <form class={name} onSubmit={enter}>
      {children}
    </form>
  );
}

/** The text that is entered in a field, without the blanks around it. */
export const textIn = (entered: FormData, name: string) => String(entered.get(name)).trim();

type InputProps = PartialInputHTMLAttributes<HTMLInputElement> & { label: string };

/** A field below its label. */
export const Input = ({ label, class: name, ...input }: InputProps) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: h makes the control.
  <label class={name}>
    <span>{label}</span>
    {h("input", input)}
  </label>
);

/** A box to tick, before its label. */
export const Check = ({ label, ...input }: InputProps) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: h makes the control.
  <label class="check">
    {h("input", { ...input, type: "checkbox" })}
    <span>{label}</span>
  </label>
);

export type Option = readonly [value: string, words: string];

interface ChoiceProps {
  label: string;
  options: readonly Option[];
  /** In a form: the field's name, and the value that it begins with. */
  name?: string;
  begin?: string;
  /** Elsewhere: the present value, and what to do with another. */
  value?: string;
  onChosen?: (value: string) => void;
}

/** A field to choose one of a few. */
export const Choice = ({ label, options, begin, onChosen, ...select }: ChoiceProps) => (
  <label>
    <span>{label}</span>
    <select {...select} onChange={({ currentTarget }) => onChosen?.(currentTarget.value)}>
      {options.map(([value, words]) => (
        <option key={value} value={value} selected={value === begin}>
          {words}
        </option>
      ))}
    </select>
  </label>
);

export const Button = (props: ButtonHTMLAttributes<HTMLButtonElement>) => <button type="button" {...props} />;

/** A form's main button. */
export const Submit = (props: ButtonHTMLAttributes<HTMLButtonElement>) => (
  <button class="primary" {...props} type="submit" />
);

type LinkProps = Omit<PartialAnchorHTMLAttributes<HTMLAnchorElement>, "role"> & { to: string };

/** A link within the console. */
export const Link = ({ to, ...anchor }: LinkProps) => <a {...anchor} href={`#${to}`} />;
