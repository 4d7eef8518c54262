/** The customer's page: what the public tracking endpoint says, in plain words. */
import { byId, h, render } from "/pages/shared/dom.js";
import { map, placesAt, pointOf } from "/pages/shared/map.js";

/**
 * @import { Point } from "/pages/shared/map.js"
 * @import { TrackedDelivery } from "../../../reference-server/domain/tracked.ts"
 * @typedef {{ words: string, done: boolean, now?: boolean, bad?: boolean, time?: string | null | undefined }} Step
 */

const page = byId("page");
const key = location.pathname.split("/").pop() ?? "";
const pollMs = 5000;

/**
 * Where the courier was seen while this page was open.
 * @type {Point[]}
 */
const seen = [];

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

/** @type {Record<string, string>} */
const titles = {
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

const ends = ["DELIVERED", "FAILED", "CANCELLED", "RETURNED"];

/** @param {string} text */
const clock = (text) => new Date(text).toLocaleTimeString("tr-TR", { hour: "2-digit", minute: "2-digit" });
/** @param {string} text */
const dayAndClock = (text) =>
  new Date(text).toLocaleString("tr-TR", { weekday: "long", hour: "2-digit", minute: "2-digit" });

/** Asks again every few seconds until the delivery is over. */
async function follow() {
  const next = await look();
  if (next !== null) setTimeout(() => void follow(), next);
}

/**
 * Shows what there is now; gives the ms until the next look, null for never.
 * @returns {Promise<number | null>}
 */
async function look() {
  let response;
  try {
    response = await fetch(`/v1/public/tracking/${encodeURIComponent(key)}`);
  } catch {
    return offline();
  }
  if (response.status === 404)
    return problem("Bu takip bağlantısı bulunamadı", "Bağlantıyı eksiksiz açtığınızdan emin olun.");
  if (response.status === 410) {
    return problem(
      "Bu takip bağlantısının süresi doldu",
      "Sipariş sonuçlandıktan 2 saat sonra takip kapanır.",
    );
  }
  if (!response.ok) return offline();
  /** @type {TrackedDelivery} */
  const tracking = await response.json();
  show(tracking);
  return ends.includes(tracking.status) ? pollMs * 12 : pollMs;
}

/**
 * @param {string} title
 * @param {string} words
 */
function problem(title, words) {
  document.title = title;
  page.setAttribute("aria-busy", "false");
  render(
    page,
    h(
      "section",
      { class: "card problem", key: "problem" },
      h("h1", null, title),
      h("p", { class: "quiet" }, words),
    ),
  );
  return null;
}

function offline() {
  page.setAttribute("aria-busy", "false");
  const words = "Şu an bilgi alınamıyor; birazdan yeniden denenecek.";
  const notice = page.querySelector(".notice");
  if (notice) notice.textContent = words;
  else render(page, h("p", { class: "notice", role: "status", key: "offline" }, words));
  return pollMs * 2;
}

/** @param {TrackedDelivery} tracking */
function show(tracking) {
  const title = titles[tracking.status] ?? "Siparişiniz";
  document.title = title;
  page.setAttribute("aria-busy", "false");
  const { courier, restaurant } = tracking;
  const isOver = ends.includes(tracking.status);
  const at = pointOf(courier);
  if (at !== null) seen.push(at);
  render(
    page,
    h(
      "section",
      { class: "card", key: "state" },
      h("p", { class: "from" }, restaurant.name),
      h("h1", { "aria-live": "polite" }, title),
      promise(tracking),
    ),
    courier &&
      !isOver &&
      h(
        "section",
        { class: "card", key: "courier", "aria-label": "Kuryeniz" },
        h(
          "div",
          { class: "courier" },
          h("span", { class: "initial", "aria-hidden": "true" }, courier.name.slice(0, 1)),
          h("p", null, "Kuryeniz ", h("strong", null, courier.name)),
        ),
        at !== null
          ? courierMap(restaurant, courier.name, at)
          : h("p", { class: "quiet" }, "Paket kuryedeyken yeri burada görünür."),
      ),
    h(
      "section",
      { class: "card", key: "steps", "aria-label": "Siparişin adımları" },
      h("ol", { class: "steps" }, stepsOf(tracking).map(step)),
    ),
    h("p", { class: "notice", role: "status", key: "notice" }, ""),
  );
}

/** @param {TrackedDelivery} tracking */
function promise({ status, eta_dropoff_at, scheduled_for, delivered_at }) {
  if (delivered_at) return h("p", { class: "promise" }, `Saat ${clock(delivered_at)}. Afiyet olsun!`);
  if (["CANCELLED", "FAILED", "RETURNING", "RETURNED"].includes(status)) {
    return h("p", { class: "promise" }, "Sorularınız için restoranı arayabilirsiniz.");
  }
  if (scheduled_for)
    return h("p", { class: "promise" }, "Planlanan zaman: ", h("strong", null, dayAndClock(scheduled_for)));
  if (eta_dropoff_at)
    return h("p", { class: "promise" }, "Tahmini varış: ", h("strong", null, clock(eta_dropoff_at)));
  return h("p", { class: "promise" }, "Tahmini varış saati birazdan belli olur.");
}

/**
 * @param {TrackedDelivery} tracking
 * @returns {Step[]}
 */
function stepsOf({ status, picked_up_at, delivered_at }) {
  const reached = order.indexOf(status);
  /** @type {Record<string, string | null>} */
  const times = { PICKED_UP: picked_up_at, DELIVERED: delivered_at };
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

/** @param {Step} step */
function step({ words, done, now, bad, time }) {
  const classes = [done && "done", now && "now", bad && "bad"].filter(Boolean).join(" ");
  return h(
    "li",
    { class: classes, "aria-current": now ? "step" : null, key: words },
    h("span", { class: "dot", "aria-hidden": "true" }),
    h("span", null, words, h("span", { class: "visually-hidden" }, done ? " (tamam)" : " (bekleniyor)")),
    h("span", null, time ? clock(time) : ""),
  );
}

/**
 * @param {TrackedDelivery["restaurant"]} restaurant
 * @param {string} name
 * @param {Point} at
 */
function courierMap(restaurant, name, at) {
  const places = [...placesAt("restaurant", restaurant.name, restaurant), ...placesAt("courier", name, at)];
  return map({ places, trail: seen, label: `Harita: ${name} adlı kuryenin yeri` });
}

void follow();
