const hasEveryId = <Id extends string, Mutant>(
  mutants: Readonly<Partial<Record<string, Mutant>>>,
  ids: readonly Id[],
): mutants is Readonly<Record<Id, Mutant>> => ids.every((id) => mutants[id] !== undefined);

/** A mutant for each element of a set. The id contains the element's name. */
export function forEachElement<const Element extends string, Id extends string, Mutant>(
  elements: readonly Element[],
  id: (element: Element) => Id,
  mutant: (element: Element) => Mutant,
): Readonly<Record<Id, Mutant>> {
  const mutants = Object.fromEntries(elements.map((element) => [id(element), mutant(element)]));
  if (!hasEveryId<Id, Mutant>(mutants, elements.map(id))) throw new Error("an element has no mutant");
  return mutants;
}
