/** A neighbourhood, district and city that exist, because a service may know only these (OPEN-237). */
export interface Place {
  readonly neighborhood: string;
  readonly district: string;
  readonly city: string;
}

/** Places in several cities, with letters that a faulty server damages. */
export const PLACES: readonly Place[] = [
  { neighborhood: "Caferağa", district: "Kadıköy", city: "İstanbul" },
  { neighborhood: "Alsancak", district: "Konak", city: "İzmir" },
  { neighborhood: "Kızılay", district: "Çankaya", city: "Ankara" },
  { neighborhood: "Meşrutiyet", district: "Şişli", city: "İstanbul" },
];

/** Places in four cities without couriers, so that no map has them for a drop-off of the suite. */
export const REMOTE_PLACES = {
  first: { neighborhood: "Köprülü", district: "Göle", city: "Ardahan" },
  others: [
    { neighborhood: "Güngör", district: "Yüksekova", city: "Hakkâri" },
    { neighborhood: "Bahçelievler", district: "Demirözü", city: "Bayburt" },
    { neighborhood: "Yeşilyazı", district: "Ovacık", city: "Tunceli" },
  ],
} as const satisfies { first: Place; others: readonly Place[] };
