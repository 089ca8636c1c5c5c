import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../project-root.ts";

/** An image that the files for containers name, and the day on which that version was taken. */
export type ImagePin = { file: string; image: string; pinnedOn: string | null };

/** After so many days an image lacks fixes that everybody knows of. */
export const mostPinDays = 180;

const files = ["Dockerfile", "deploy/compose.yaml"];
// A stage of this build, and the image that it makes, come from nowhere else.
const named = /^\s*(?:FROM|image:) (?!atrium:)(\S+)/;
const dated = /# Pinned on (\d{4}-\d{2}-\d{2})\b/;

/** Every image that is taken from a registry. The date stands in the line above. */
export const imagePins = (): ImagePin[] =>
  files.flatMap((file) => {
    const lines = readFileSync(join(projectRoot, file), "utf8").split("\n");
    return lines.flatMap((line, at) => {
      const image = named.exec(line)?.[1];
      if (image === undefined) return [];
      return [{ file, image, pinnedOn: dated.exec(lines[at - 1] ?? "")?.[1] ?? null }];
    });
  });

/** What to say of each image that was pinned more than 180 days before `now`. */
export const stalePins = (pins: readonly ImagePin[], now: Date): string[] =>
  pins.flatMap(({ file, image, pinnedOn }) => {
    if (pinnedOn === null) return [];
    const days = Math.floor((now.getTime() - Date.parse(pinnedOn)) / 86_400_000);
    if (days <= mostPinDays) return [];
    return [
      `${file}: ${image} was pinned ${days} days ago. Take its newest patch version, and write today's date`,
    ];
  });
