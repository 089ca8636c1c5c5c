import type { WindowFrontend } from "#plugins/sdk/frontend-types.ts";
import { name, version } from "../plugin.json";
import { PerformancePage } from "./performance-page.tsx";

const frontend: WindowFrontend = { name, version, Page: PerformancePage };

export default frontend;
