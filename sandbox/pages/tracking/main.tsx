/** The customer's tracking page. */
import { render } from "preact";
import type { TrackedDelivery } from "../../../reference-server/domain/tracked.ts";
import { CourierMap, type Point, placesAt, pointOf } from "../shared/map.tsx";
import { byId } from "../shared/page.ts";

interface Step {
  words: string;
  done: boolean;
  now?: boolean;
  bad?: boolean;
  time?: string | null | undefined;
}
type Problem = { title: string; words: string };

const page = byId("page");
const key = location.pathname.split("/").pop() ?? "";
const pollMs = 5000;

/** The courier's positions since the page was opened. */
const seen: Point[] = [];
/** The latest response, if any. */
let known: TrackedDelivery | Problem | undefined;

const order = [
  "RECEIVED",
  "QUEUED",
  "OFFERED",
  "ASSIGNED",
  "AT_PICKUP",
  "PICKED_UP",
  "EN_ROUTE",
  "ARRIVED",
  "DELIVERED",
];
const steps = [
  { from: "RECEIVED", words: "Sipariş alındı" },
  { from: "ASSIGNED", words: "Kurye atandı" },
  { from: "AT_PICKUP", words: "Kurye restoranda" },
  { from: "PICKED_UP", words: "Paket kuryede" },
  { from: "EN_ROUTE", words: "Kurye yolda" },
  { from: "ARRIVED", words: "Kurye kapıda" },
  { from: "DELIVERED", words: "Teslim edildi" },
];

const titles: Record<string, string> = {
  RECEIVED: "Siparişiniz alındı",
  QUEUED: "Kurye aranıyor",
  OFFERED: "Kurye aranıyor",
  ASSIGNED: "Kurye restorana gidiyor",
  AT_PICKUP: "Kurye siparişinizi bekliyor",
  PICKED_UP: "Siparişiniz kuryede",
  EN_ROUTE: "Siparişiniz yolda",
  ARRIVED: "Kurye kapınızda",
  DELIVERED: "Siparişiniz teslim edildi",
  FAILED: "Siparişiniz teslim edilemedi",
  CANCELLED: "Siparişiniz iptal edildi",
  RETURNING: "Siparişiniz restorana geri dönüyor",
  RETURNED: "Siparişiniz restorana geri döndü",
};

const clock = (text: string) =>
  new Date(text).toLocaleTimeString("tr-TR", { hour: "2-digit", minute: "2-digit" });
const dayAndClock = (text: string) =>
  new Date(text).toLocaleString("tr-TR", { weekday: "long", hour: "2-digit", minute: "2-digit" });

/** Polls every few seconds until the delivery has ended. */
async function follow() {
  const next = await poll();
  if (next !== null) setTimeout(() => void follow(), next);
}

/**
 * Shows the current state.
 * @returns the ms until the next poll, null for none
 */
async function poll(): Promise<number | null> {
  const response = await fetch(`/v1/public/tracking/${encodeURIComponent(key)}`).catch(() => null);
  if (response?.status === 404) {
    show({ title: "Bu takip bağlantısı bulunamadı", words: "Bağlantıyı eksiksiz açtığınızdan emin olun." });
    return null;
  }
  if (response?.status === 410) {
    const words = "Sipariş sonuçlandıktan 2 saat sonra takip kapanır.";
    show({ title: "Bu takip bağlantısının süresi doldu", words });
    return null;
  }
  if (!response?.ok) {
    show(known, "Şu an bilgi alınamıyor; birazdan yeniden denenecek.");
    return pollMs * 2;
  }
  const tracking: TrackedDelivery = await response.json();
  const at = pointOf(tracking.courier);
  if (at !== null) seen.push(at);
  show(tracking);
  return isOver(tracking) ? pollMs * 12 : pollMs;
}

const isOver = ({ status }: TrackedDelivery) =>
  ["DELIVERED", "FAILED", "CANCELLED", "RETURNED"].includes(status);
const titleOf = ({ status }: TrackedDelivery) => titles[status] ?? "Siparişiniz";

function show(found: typeof known, notice = "") {
  known = found;
  if (found !== undefined) document.title = "title" in found ? found.title : titleOf(found);
  render(
    <main aria-busy={false}>
      {found !== undefined && ("title" in found ? <ProblemCard {...found} /> : <Order tracking={found} />)}
      <p class="notice" role="status">
        {notice}
      </p>
    </main>,
    page,
  );
}

const ProblemCard = ({ title, words }: Problem) => (
  <section class="card problem">
    <h1>{title}</h1>
    <p class="quiet">{words}</p>
  </section>
);

function Order({ tracking }: { tracking: TrackedDelivery }) {
  const { courier, restaurant } = tracking;
  return (
    <>
      <section class="card">
        <p class="from">{restaurant.name}</p>
        <h1 aria-live="polite">{titleOf(tracking)}</h1>
        <p class="promise">{promise(tracking)}</p>
      </section>
      {courier && !isOver(tracking) && <Courier courier={courier} restaurant={restaurant} />}
      <section class="card" aria-label="Siparişin adımları">
        <ol class="steps">
          {stepsOf(tracking).map((step) => (
            <StepItem key={step.words} {...step} />
          ))}
        </ol>
      </section>
    </>
  );
}

type CourierProps = { courier: NonNullable<TrackedDelivery["courier"]> } & Pick<
  TrackedDelivery,
  "restaurant"
>;

function Courier({ courier, restaurant }: CourierProps) {
  const { name } = courier;
  const places = [
    ...placesAt("restaurant", restaurant.name, restaurant),
    ...placesAt("courier", name, courier),
  ];
  return (
    <section class="card" aria-label="Kuryeniz">
      <div class="courier">
        <span class="initial" aria-hidden="true">
          {name.slice(0, 1)}
        </span>
        <p>
          {"Kuryeniz "}
          <strong>{name}</strong>
        </p>
      </div>
      {pointOf(courier) === null ? (
        <p class="quiet">Paket kuryedeyken yeri burada görünür.</p>
      ) : (
        <CourierMap places={places} trail={seen} label={`Harita: ${name} adlı kuryenin yeri`} />
      )}
    </section>
  );
}

function promise({ status, eta_dropoff_at, scheduled_for, delivered_at }: TrackedDelivery) {
  if (delivered_at) return `Saat ${clock(delivered_at)}. Afiyet olsun!`;
  if (["CANCELLED", "FAILED", "RETURNING", "RETURNED"].includes(status))
    return "Sorularınız için restoranı arayabilirsiniz.";
  if (scheduled_for) return ["Planlanan zaman: ", <strong>{dayAndClock(scheduled_for)}</strong>];
  if (eta_dropoff_at) return ["Tahmini varış: ", <strong>{clock(eta_dropoff_at)}</strong>];
  return "Tahmini varış saati birazdan belli olur.";
}

function stepsOf({ status, picked_up_at, delivered_at }: TrackedDelivery): Step[] {
  const reached = order.indexOf(status);
  const times: Record<string, string | null> = { PICKED_UP: picked_up_at, DELIVERED: delivered_at };
  if (reached < 0) {
    const way = steps.filter(({ from }) => from === "RECEIVED" || (from === "PICKED_UP" && picked_up_at));
    return [
      ...way.map((known) => ({ ...known, done: true, time: times[known.from] })),
      { words: titles[status] ?? status, done: true, now: true, bad: true },
    ];
  }
  return steps.map((known, index) => {
    const done = order.indexOf(known.from) <= reached;
    const next = steps[index + 1];
    const now = done && (next === undefined || order.indexOf(next.from) > reached);
    return { ...known, done, now, time: times[known.from] };
  });
}

function StepItem({ words, done, now = false, bad, time }: Step) {
  return (
    <li
      class={[done && "done", now && "now", bad && "bad"].filter(Boolean).join(" ")}
      aria-current={now ? "step" : undefined}
    >
      <span class="dot" aria-hidden="true" />
      <span>
        {words}
        <span class="visually-hidden">{done ? " (tamam)" : " (bekleniyor)"}</span>
      </span>
      <span>{time ? clock(time) : ""}</span>
    </li>
  );
}

void follow();
