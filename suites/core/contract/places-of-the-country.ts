/**
 * Towns in all parts of the country, far from its borders and coasts, because the specification doesn't say
 * whether "outside the country" means a bounding box or the real borders (OPEN-96).
 */
export const PLACES_OF_THE_COUNTRY = {
  Babaeski: { lat: 41.43, lng: 27.1 },
  Manisa: { lat: 38.62, lng: 27.43 },
  Kastamonu: { lat: 41.38, lng: 33.78 },
  Ankara: { lat: 39.92, lng: 32.85 },
  Osmaniye: { lat: 37.07, lng: 36.25 },
  Kars: { lat: 40.6, lng: 43.1 },
  Van: { lat: 38.5, lng: 43.4 },
} as const;

export type PlaceOfTheCountry = keyof typeof PLACES_OF_THE_COUNTRY;

const names = Object.keys(PLACES_OF_THE_COUNTRY);

export const placesOfTheCountry: readonly PlaceOfTheCountry[] = names.filter(
  (name): name is PlaceOfTheCountry => Object.hasOwn(PLACES_OF_THE_COUNTRY, name),
);
