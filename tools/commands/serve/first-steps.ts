import type { FirstIntegrator } from "../../../sandbox/operator/first-integrator.ts";

/**
 * Shell lines that get a token, link a store and create a delivery.
 * @param isSecretGiven true to read the client secret from CLIENT_SECRET, because the user chose it
 */
export function firstSteps(url: string, first: FirstIntegrator, isSecretGiven: boolean): string[] {
  const { client_id, client_secret, pairing_codes } = first;
  const json = "-H 'Content-Type: application/json'";
  const bearer = '-H "Authorization: Bearer $TOKEN"';
  const secret = isSecretGiven ? `'"$CLIENT_SECRET"'` : client_secret;
  const grant = `{"grant_type":"client_credentials","client_id":"${client_id}","client_secret":"${secret}"}`;
  const store =
    `{"external_store_id":"moda","pairing_code":"${pairing_codes[0]}","name":"Moda Mutfak",` +
    `"address":{"text":"Moda Caddesi 12, Kadıköy","lat":40.9843,"lng":29.0256}}`;
  const delivery =
    `{"external_ref":"'$(date +%s)'","store":{"external_store_id":"moda"},` +
    `"customer":{"name":"Ayşe Yılmaz","phone":"0532 555 01 23"},` +
    `"dropoff":{"text":"Bağdat Caddesi 220, Kadıköy","lat":40.9702,"lng":29.0571},` +
    `"payment":{"type":"NAKIT","amount_due":245.5}}`;
  return [
    `  TOKEN=$(curl -s ${url}/oauth/token ${json} -d '${grant}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `  curl -s ${url}/v1/stores ${bearer} ${json} -d '${store}'; echo`,
    `  curl -s ${url}/v1/deliveries ${bearer} ${json} -H "Idempotency-Key: $(date +%s)-first" -d '${delivery}'; echo`,
  ];
}
