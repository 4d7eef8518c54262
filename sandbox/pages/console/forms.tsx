/** Forms with fields, buttons and links. */
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

/** A form whose values are passed to a function instead of being submitted. */
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

/** A field's text without surrounding white space. */
export const textIn = (entered: FormData, name: string) => String(entered.get(name)).trim();

type InputProps = PartialInputHTMLAttributes<HTMLInputElement> & { label: string };

export const Input = ({ label, class: name, ...input }: InputProps) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: h makes the control.
  <label class={name}>
    <span>{label}</span>
    {h("input", input)}
  </label>
);

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
  /** In a form: the field's name and initial value. */
  name?: string;
  begin?: string;
  /** Outside a form: the current value and the change handler. */
  value?: string;
  onChosen?: (value: string) => void;
}

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

export const Submit = (props: ButtonHTMLAttributes<HTMLButtonElement>) => (
  <button class="primary" {...props} type="submit" />
);

type LinkProps = Omit<PartialAnchorHTMLAttributes<HTMLAnchorElement>, "role"> & { to: string };

export const Link = ({ to, ...anchor }: LinkProps) => <a {...anchor} href={`#${to}`} />;
