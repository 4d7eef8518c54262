/** Listeners of forms and fields, made from what is to be done with what people enter. */

/**
 * The browser itself sends no form.
 * @param {(entered: FormData, form: HTMLFormElement) => void} use
 * @returns {(event: Event) => void}
 */
export function submitting(use) {
  return (event) => {
    event.preventDefault();
    if (event.target instanceof HTMLFormElement) use(new FormData(event.target), event.target);
  };
}

/**
 * @param {(value: string) => void} use
 * @returns {(event: Event) => void}
 */
export function choosing(use) {
  return ({ target }) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) use(target.value);
  };
}

/**
 * @param {(checked: boolean) => void} use
 * @returns {(event: Event) => void}
 */
export function ticking(use) {
  return ({ target }) => {
    if (target instanceof HTMLInputElement) use(target.checked);
  };
}
