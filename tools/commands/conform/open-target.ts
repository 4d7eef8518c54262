import { join } from "node:path";
import { Redactor } from "../../../suites/core/text/redact.ts";
import { visible } from "../../../suites/core/text/visible-text.ts";
import {
  LOOPBACK_RECEIVER,
  type TargetSettings,
} from "../../../suites/server/session/sample-data/settings.ts";
import { unwritable } from "../../report/files.ts";
import { UsageError } from "../../usage-error.ts";
import { writeFileAtomically } from "../../whole-file.ts";
import { type EmbeddedServer, startEmbeddedServer } from "./embedded-server.ts";
import type { ImageSettings } from "./image-settings.ts";
import type { ConformSettings } from "./settings.ts";

interface OpenTarget {
  readonly settings: TargetSettings;
  /** The text after the target's URL in the first line; may be empty. */
  readonly remark: string;
  close(): Promise<void>;
}

export function secretsOf({ control, credentials, pairingCodes, image }: ConformSettings): Redactor {
  const redact = new Redactor();
  redact.add(control?.token, ...credentials.map(({ client_secret }) => client_secret), ...pairingCodes);
  redact.add(...Object.values(image?.environment ?? {}));
  return redact;
}

/**
 * Opens the target: the service at a URL, the service in a container, or the embedded reference server.
 * @param redact removes the run's secrets from the container's log
 * @param server the embedded reference server, if it has been started
 */
export function openTarget(
  settings: ConformSettings,
  redact = secretsOf(settings),
  server?: EmbeddedServer,
): Promise<OpenTarget> {
  if (settings.image) return openImage(settings, settings.image, redact);
  return settings.url === undefined ? openEmbedded(settings, server) : openUrl(settings, settings.url);
}

type CommonSettings = Pick<ConformSettings, "point" | "answerMs" | "maxWaitMs" | "receiver" | "userAgent">;

const common = ({ point, answerMs, maxWaitMs, receiver = LOOPBACK_RECEIVER, userAgent }: CommonSettings) => ({
  point,
  answerMs,
  maxWaitMs,
  receiver,
  ...(userAgent !== undefined && { userAgent }),
});

async function openUrl(settings: ConformSettings, url: string): Promise<OpenTarget> {
  const { credentials, pairingCodes, control } = settings;
  return {
    settings: { ...common(settings), url, credentials, pairingCodes, control },
    remark: "",
    close: async () => {},
  };
}

/** Starts the reference server in its own thread, with its control interface. */
export async function openEmbedded(settings: CommonSettings, server?: EmbeddedServer): Promise<OpenTarget> {
  const { url, control, close } = server ?? (await startEmbeddedServer());
  return {
    settings: { ...common(settings), url, credentials: [], pairingCodes: [], control },
    remark: " (the embedded reference server)",
    close,
  };
}

/** @throws UsageError */
function writeLog(folder: string, log: string): void {
  try {
    writeFileAtomically(join(folder, "container.log"), log);
  } catch (error) {
    throw new UsageError(unwritable(folder, error));
  }
}

/** Starts the container. When the target is closed, its log is written to the report's folder. */
async function openImage(
  settings: ConformSettings,
  image: ImageSettings,
  redact: Redactor,
): Promise<OpenTarget> {
  const { startImage } = await import("./container.ts");
  const container = await startImage(image);
  const { credentials, pairingCodes, control, report } = settings;
  const url = control?.url.startsWith("/") ? `${container.url}${control.url}` : control?.url;
  return {
    settings: {
      ...common({ ...settings, receiver: settings.receiver ?? container.receiver }),
      url: container.url,
      credentials,
      pairingCodes,
      control: control && url !== undefined ? { url, token: control.token } : undefined,
    },
    remark: ` (image ${image.name})`,
    close: async () => {
      try {
        if (report !== undefined) writeLog(report, visible(redact.text(container.log())));
      } finally {
        await container.stop();
      }
    },
  };
}
