/** Districts with their central points: enough to suggest locations for an address without coordinates. */

export interface District {
  city: string;
  district: string;
  lat: number;
  lng: number;
}

const byCity: Record<string, Record<string, readonly [lat: number, lng: number]>> = {
  İstanbul: {
    Kadıköy: [40.9909, 29.0303],
    Beşiktaş: [41.0422, 29.0083],
    Şişli: [41.0602, 28.9877],
    Beyoğlu: [41.037, 28.9774],
    Fatih: [41.0186, 28.9397],
    Üsküdar: [41.0226, 29.0233],
    Ataşehir: [40.9847, 29.1067],
    Maltepe: [40.9357, 29.1551],
    Bakırköy: [40.9819, 28.8772],
    Sarıyer: [41.1672, 29.0573],
    Ümraniye: [41.0165, 29.1248],
    Pendik: [40.8747, 29.2353],
  },
  Ankara: {
    Çankaya: [39.9032, 32.8597],
    Keçiören: [39.9733, 32.8636],
    Yenimahalle: [39.9716, 32.8119],
    Mamak: [39.9423, 32.9231],
  },
  İzmir: {
    Konak: [38.4189, 27.1287],
    Karşıyaka: [38.4613, 27.1155],
    Bornova: [38.4697, 27.2211],
  },
  Bursa: { Osmangazi: [40.1885, 29.061], Nilüfer: [40.2128, 28.9436] },
  Antalya: { Muratpaşa: [36.8841, 30.7056], Konyaaltı: [36.8653, 30.6399] },
  Adana: { Seyhan: [36.9914, 35.3308] },
};

export const gazetteer: readonly District[] = Object.entries(byCity).flatMap(([city, districts]) =>
  Object.entries(districts).map(([district, [lat, lng]]) => ({ city, district, lat, lng })),
);
