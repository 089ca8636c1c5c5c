import type { Starter } from "./starter-files.ts";

/** The README of a new plugin: what to call, and where things are. */
export const starterReadme = ({ name, hasPage, command }: Starter): string => `# ${name}

A plugin for Atrium.

\`\`\`sh
${command} plugin dev ./${name}        # builds it, runs it on the server of this machine, again at each change
${command} plugin pack ./${name} --out ${name}.zip
${command} plugin keygen --out publisher.pem                  # once
${command} plugin sign ${name}.zip --key publisher.pem --out ${name}-signed.zip
${command} plugin install ${name}-signed.zip --enable
\`\`\`

| file | what it is |
|---|---|
| \`plugin.json\` | name, version, permissions, settings; \`version\` stands here alone |
| \`backend/index.ts\` | what runs on the server, in the sandbox: \`setup(ctx)\` |
${hasPage ? "| `frontend/index.ts`, `frontend/index.css` | its page, in a frame of its own |\n" : ""}| \`test/plugin.test.ts\` | its tests, in the real sandbox: \`bun test\` |
| \`atrium-plugin.d.ts\`, \`test/atrium-testing.ts\` | types and test kit, as \`plugin create\` wrote them |

The tests start the program \`atrium\`: the one that \`ATRIUM_BIN\` names, or the one in the PATH. In this folder:

\`\`\`sh
${isClone(command) ? cloneTests : programTests}
\`\`\`
`;

const isClone = (command: string): boolean => command !== "atrium";

// In a clone there is no program, but the file that it is made of.
const cloneTests = "ATRIUM_BIN=/path/to/atrium/src/cli/main.ts bun test     # the path is that of your clone";
const programTests = `bun test                                # with atrium in the PATH
ATRIUM_BIN=/path/to/atrium bun test     # with atrium elsewhere
BUN_BE_BUN=1 atrium test                # without Bun`;
