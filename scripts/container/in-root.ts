/** A folder that stands for an image: `lower` is what lies below it and stays as it is, or `null`. */
export type Root = { path: string; lower: string | null; upper: string; work: string };

/** Runs a shell script as root with the folder mounted, in mounts of its own; its output is shown. Throws when it fails. */
export const inRoot = (root: Root, script: string, env: Record<string, string> = {}): void => {
  const { exitCode } = Bun.spawnSync(["unshare", "--mount", "sh", "-euc", `${mountOf(root)}\n${script}`], {
    env: { ...inherited(), ...env, ROOT: root.path },
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (exitCode !== 0) throw new Error(`ended with ${exitCode}: ${script}`);
};

/** Lines of shell that put the folder in its place. */
export const mountOf = ({ path, lower, upper, work }: Root): string =>
  lower === null
    ? `mount --bind "${path}" "${path}"`
    : `mount -t overlay overlay -o "lowerdir=${lower},upperdir=${upper},workdir=${work}" "${path}"`;

/** Where packages come from, and through what, is this machine's affair. */
const inherited = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined &&
      /^(?:PATH|HOME|.*_proxy|npm_config_.*|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE)$/i.test(name)
        ? [[name, value]]
        : [],
    ),
  );
