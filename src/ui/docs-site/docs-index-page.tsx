import type { NavGroup } from "./docs-frame.tsx";
import { docsTexts as texts } from "./texts.ts";

type IndexGroup = Pick<NavGroup, "title"> & {
  links: readonly (NavGroup["links"][number] & { description: string })[];
};

/** Where the documentation begins: every chapter with what it is about. */
export const DocsIndexPage = ({ groups }: { groups: readonly IndexGroup[] }) => (
  <>
    <h1>{texts.name}</h1>
    <p className="docs-lead">{texts.lead}</p>
    {groups.map(({ title, links }) => (
      <section key={title}>
        <h2>{title}</h2>
        <ul className="docs-cards">
          {links.map((link) => (
            <li key={link.path}>
              <a href={link.path}>{link.title}</a>
              <span>{link.description}</span>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </>
);
