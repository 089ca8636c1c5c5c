/** Who may read the documentation and the description of the API. */
export type DocsReaders = "everybody" | "members" | "admins" | "off";

/** The program's own identity: what a site is called that no one has named. */
export const programSite = {
  name: "Atrium",
  shortName: "",
  tagline: "",
  accent: "#0f766e",
  ...{ logo: "", logoDark: "", icon: "", card: "" },
  supportEmail: "",
  legalName: "",
  address: "",
  socialLinks: [] as string[],
  home: "landing",
  homeText: "",
  aboutText: "",
  termsText: "",
  privacyText: "",
  cookiesText: "",
  docs: "everybody" as DocsReaders,
};

/** What is set of the site's identity. */
export type SiteIdentity = typeof programSite;
