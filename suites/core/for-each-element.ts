const namesAll = <Id extends string, Mutant>(
  made: Readonly<Partial<Record<string, Mutant>>>,
  ids: readonly Id[],
): made is Readonly<Record<Id, Mutant>> => ids.every((id) => made[id] !== undefined);

/** A mutant for each element of a set. The id contains the element's name. */
export function forEachElement<const Element extends string, Id extends string, Mutant>(
  elements: readonly Element[],
  id: (element: Element) => Id,
  mutant: (element: Element) => Mutant,
): Readonly<Record<Id, Mutant>> {
  const made = Object.fromEntries(elements.map((element) => [id(element), mutant(element)]));
  if (!namesAll<Id, Mutant>(made, elements.map(id))) throw new Error("an element has no mutant");
  return made;
}
