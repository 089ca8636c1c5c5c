import { lookAtScenes } from "./look-at-scenes.ts";

await lookAtScenes(["admin"]);
