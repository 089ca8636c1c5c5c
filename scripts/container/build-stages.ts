import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../project-root.ts";
import { inRoot, type Root } from "./in-root.ts";
import { copyOf, type Stage } from "./read-dockerfile.ts";

/** Does the steps of each stage in a folder of its own below `workshop`, and gives back that of the last. */
export const buildStages = (stages: readonly Stage[], workshop: string): Root => {
  const built = new Map<string, Root>();
  let last: Root | null = null;
  for (const [at, stage] of stages.entries()) {
    const root = makeRoot(join(workshop, `stage-${at}`), stage.from);
    let folder = "/";
    for (const { word, rest } of stage.steps) {
      console.error(`${word} ${rest}`);
      if (word === "WORKDIR") {
        folder = rest;
        inRoot(root, `mkdir -p "$ROOT${folder}"`);
      }
      if (word === "COPY") inRoot(root, copyScript(rest, { folder, built }));
      if (word === "RUN")
        inRoot(
          root,
          `mount --rbind /proc "$ROOT/proc"; mount --rbind /dev "$ROOT/dev"\nexec chroot "$ROOT" sh -euc "cd ${folder}; $STEP"`,
          { STEP: rest },
        );
    }
    if (stage.name !== null) built.set(stage.name, root);
    last = root;
  }
  if (last === null) throw new Error("the Dockerfile has no stage");
  return last;
};

const makeRoot = (folder: string, from: string): Root => {
  const root = { path: join(folder, "root"), upper: join(folder, "upper"), work: join(folder, "work") };
  for (const path of Object.values(root)) mkdirSync(path, { recursive: true });
  // Debian with Node and npm is what this machine has to be; its own folders stay untouched below.
  if (/^node:.*-slim$/.test(from)) return { ...root, lower: "/" };
  if (!from.startsWith("gcr.io/distroless/base-debian")) throw new Error(`nothing here stands for ${from}`);
  console.error(`FROM ${from}: made of Debian's packages`);
  const bare: Root = { ...root, lower: null };
  inRoot(bare, distrolessScript(folder));
  return bare;
};

/** As that image is made: these packages unpacked, without running anything of theirs, and a user without rights. */
const distrolessScript = (folder: string): string => `
  mkdir -p "${folder}/packages"; chmod 777 "${folder}/packages"; cd "${folder}/packages"
  apt-get download -q base-files netbase tzdata libc6 libssl3 ca-certificates >&2
  for package in *.deb; do dpkg-deb --extract "$package" "$ROOT"; done
  mkdir -p "$ROOT/etc/ssl/certs" "$ROOT/proc" "$ROOT/dev" "$ROOT/tmp"
  cat "$ROOT"/usr/share/ca-certificates/mozilla/*.crt > "$ROOT/etc/ssl/certs/ca-certificates.crt"
  echo "root:x:0:0:root:/root:/sbin/nologin" > "$ROOT/etc/passwd"
  echo "nonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin" >> "$ROOT/etc/passwd"
  echo "nonroot:x:65532:" > "$ROOT/etc/group"
  install -d -o 65532 -g 65532 "$ROOT/home/nonroot"`;

type Copying = { folder: string; built: ReadonlyMap<string, Root> };

/** Files into a folder, the content of a folder into a folder, or one file under another name. */
const copyScript = (rest: string, { folder, built }: Copying): string => {
  const { from, owner, sources, to } = copyOf(rest);
  const source = from === null ? null : built.get(from);
  if (source === undefined) throw new Error(`there is no stage ${from}`);
  // What a stage added lies in its upper folder.
  const base = source === null ? projectRoot : source.upper;
  const target = `"$ROOT${to.startsWith("/") ? to : join(folder, to)}"`;
  const own = owner === null ? "" : `; chown -R ${owner} ${target}`;
  return sources.map((path) => copyOne(join(base, path), target, to.endsWith("/")) + own).join("\n");
};

const copyOne = (path: string, target: string, isInto: boolean): string =>
  `if [ -d "${path}" ]; then mkdir -p ${target}; tar -C "${path}" --anchored ${ignored()} -cf - . | tar -C ${target} -xf -
   else mkdir -p "$(dirname ${target}${isInto ? "/x" : ""})"; cp "${path}" ${target}; fi`;

const ignored = (): string =>
  readFileSync(join(projectRoot, ".dockerignore"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => `--exclude='./${line}'`)
    .join(" ");
