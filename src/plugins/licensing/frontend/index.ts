import type { WindowFrontend } from "#plugins/sdk/frontend-types.ts";
import { name, version } from "../plugin.json";
import { LicensingPage } from "./licensing-page.tsx";

const frontend: WindowFrontend = { name, version, Page: LicensingPage };

export default frontend;
