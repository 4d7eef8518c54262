/** The couriers of one integrator on shift: identity, position and current delivery. */
import type { CourierIdentity } from "../../reference-server/domain/model.ts";
import type { Point } from "../../reference-server/domain/places.ts";
import { between, oneOf, type Random, randomFrom } from "./random.ts";
import { pointNear } from "./route.ts";

interface Driver extends CourierIdentity {
  at: Point | null;
  /** The id of the courier's offered or assigned delivery; null for a free courier. */
  busyWith: string | null;
}

const firstNames = [
  "Ahmet",
  "Elif",
  "Mehmet",
  "Zeynep",
  "Emre",
  "Derya",
  "Burak",
  "Selin",
  "Can",
  "Ece",
] as const;
const lastNames = [
  "Yıldız",
  "Kaya",
  "Demir",
  "Şahin",
  "Çelik",
  "Öztürk",
  "Aydın",
  "Arslan",
  "Koç",
  "Güneş",
] as const;
const letters = [
  "A",
  "B",
  "C",
  "D",
  "E",
  "F",
  "G",
  "H",
  "K",
  "L",
  "M",
  "N",
  "P",
  "R",
  "T",
  "V",
  "Y",
  "Z",
] as const;

export class CourierPool {
  readonly #drivers: Driver[] = [];
  readonly #random: Random;

  constructor(seed: string, company: string) {
    this.#random = randomFrom(seed, "fleet", company);
  }

  /** The free courier of the first `onShift` who is nearest to a point; undefined if all are busy. */
  nearestFree(onShift: number, to: Point | null): Driver | undefined {
    while (this.#drivers.length < onShift) this.#drivers.push(this.#hired());
    const idle = this.#drivers.slice(0, onShift).filter(({ busyWith }) => busyWith === null);
    if (to === null) return idle[0];
    for (const driver of idle) driver.at ??= pointNear(this.#random, to);
    return idle.toSorted((a, b) => distance(a.at, to) - distance(b.at, to))[0];
  }

  /** The courier of this delivery. */
  assignedTo(deliveryId: string): Driver | undefined {
    return this.#drivers.find(({ busyWith }) => busyWith === deliveryId);
  }

  /** Restores a courier whose delivery began before the simulator's start. */
  restore({ name, phone, plate }: CourierIdentity, at: Point | null, deliveryId: string): void {
    this.#drivers.push({ name, phone, plate, at, busyWith: deliveryId });
  }

  #hired(): Driver {
    const random = this.#random;
    const digits = (count: number) => Array.from({ length: count }, () => Math.floor(random() * 10)).join("");
    return {
      name: `${oneOf(random, firstNames)} ${oneOf(random, lastNames)}`,
      phone: `+90555${digits(7)}`,
      plate: `34 ${oneOf(random, letters)}${oneOf(random, letters)} ${Math.floor(between(random, 100, 1000))}`,
      at: null,
      busyWith: null,
    };
  }
}

/** An approximate distance, for comparisons only. */
function distance(from: Point | null, to: Point): number {
  if (from === null) return Number.POSITIVE_INFINITY;
  return Math.hypot(from.lat - to.lat, (from.lng - to.lng) * Math.cos((to.lat * Math.PI) / 180));
}
