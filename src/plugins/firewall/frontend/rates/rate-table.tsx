import { cn, formatCount, Table, TableBody, TableCell, TableHeader, TableRow } from "@atrium/plugin-sdk/ui";
import type { RateRule } from "../../backend/wire.ts";
import { InstantSwitch } from "../parts/instant-switch.tsx";
import { rateTexts as texts } from "../rule-texts.ts";
import { texts as common } from "../texts.ts";
import { useFirewall, useSaver } from "../use-firewall.ts";
import { windowText } from "./rate-window.ts";

const looks = {
  limit: "max-md:hidden",
  roles: "max-lg:hidden",
  key: "max-xl:hidden",
  action: "max-lg:hidden",
  hits: "text-right max-sm:hidden",
};
const columns = [
  { name: texts.columns.title },
  { name: texts.columns.limit, look: looks.limit },
  { name: texts.columns.roles, look: looks.roles },
  { name: texts.columns.key, look: looks.key },
  { name: texts.columns.action, look: looks.action },
  { name: texts.columns.hits, look: looks.hits },
  { name: texts.columns.on },
];

/** The rate rules, a row each; a press on a name opens it. */
export const RateTable = ({ rules, onOpen }: { rules: RateRule[]; onOpen: (rule: RateRule) => void }) => (
  <Table isWhole label={texts.table}>
    <TableHeader className="md:top-14" columns={columns} />
    <TableBody>
      {rules.map((rule) => (
        <Row key={rule.id} rule={rule} onOpen={() => onOpen(rule)} />
      ))}
    </TableBody>
  </Table>
);

const Row = ({ rule, onOpen }: { rule: RateRule; onOpen: () => void }) => {
  const { calls } = useFirewall();
  const save = useSaver();
  const { id, title, isOn, method, path, roles, key, windowMs, max, action, hits } = rule;
  const muted = "text-muted-foreground";
  const limit = texts.limit(formatCount(max), windowText(windowMs));
  return (
    <TableRow className="relative hover:bg-muted/60">
      <th scope="row" className="w-full max-w-0 py-1.5 pr-3 pl-4 text-left font-medium">
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={onOpen}
          className="wrap-anywhere min-h-6 cursor-pointer text-left outline-none after:absolute after:inset-0 focus-visible:after:ring-2 focus-visible:after:ring-ring focus-visible:after:ring-inset"
        >
          {title}
        </button>
        <span className={cn("wrap-anywhere block font-mono font-normal text-[0.8125rem]", muted)}>
          {method === "*" ? "" : `${method} `}
          {path}
        </span>
        <span className={cn("block font-normal text-[0.8125rem] md:hidden", muted)}>{limit}</span>
      </th>
      <TableCell className={looks.limit}>{limit}</TableCell>
      <TableCell className={cn(looks.roles, muted)}>{rolesText(roles)}</TableCell>
      <TableCell className={cn(looks.key, muted)}>{texts.keys[key]}</TableCell>
      <TableCell className={cn(looks.action, muted)}>{texts.actions[action]}</TableCell>
      <TableCell className={looks.hits}>{formatCount(hits)}</TableCell>
      <TableCell className="relative z-10 max-w-48">
        <InstantSwitch
          isBare
          label={texts.switchOn(title)}
          isOn={isOn}
          onSwitch={(next) => save((revision) => calls.changeRate(id, { isOn: next, revision }))}
        />
      </TableCell>
    </TableRow>
  );
};

const rolesText = (roles: RateRule["roles"]) =>
  roles.length === 3 ? texts.everyone : roles.map((role) => common.visitors[role]).join(", ");
