/** A mutant for each element of a set, by id. The id contains the element's name. */
export const forEachElement = <const Element extends string, Mutant>(
  elements: readonly Element[],
  id: (element: Element) => string,
  mutant: (element: Element) => Mutant,
): Readonly<Record<string, Mutant>> =>
  Object.fromEntries(elements.map((element) => [id(element), mutant(element)]));
