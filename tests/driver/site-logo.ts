import { makePng } from "#api/testing/images.ts";
import { asOperator } from "./plugin-caller.ts";
import type { ServerProcess } from "./start-server.ts";

/** A logo that a site has been given: its address there, and its bytes. */
export type Logo = { address: string; bytes: Uint8Array };

/** Gives the site a logo, as an admin does. */
export const giveLogo = async ({ dataDir }: Pick<ServerProcess, "dataDir">): Promise<Logo> => {
  const bytes = makePng(90, 30);
  const operator = asOperator(dataDir);
  const content = Buffer.from(bytes).toString("base64");
  const files = [{ use: "full", content }];
  const { body } = await operator.ask("POST", "/api/auth/settings/site/images", { image: "logo", files });
  const logo = String(Reflect.get(Object(body.data), "value"));
  const { status } = await operator.ask("PUT", "/api/auth/settings/site", { logo });
  const [id, name] = logo.split(" ");
  if (status !== 200) throw new Error(`the logo was refused with ${status}`);
  return { address: `/site/${id}/${name}`, bytes };
};

/** What a server has at the address of a logo. */
export const bytesOfLogo = async (
  { url }: Pick<ServerProcess, "url">,
  { address }: Logo,
): Promise<Uint8Array> => (await fetch(`${url}${address}`)).bytes();
