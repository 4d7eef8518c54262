import { fileURLToPath } from "node:url";
import packageJson from "../package.json" with { type: "json" };

export const NAME: string = packageJson.name;
export const VERSION: string = packageJson.version;

export const packageFolder: string = fileURLToPath(new URL("..", import.meta.url));
