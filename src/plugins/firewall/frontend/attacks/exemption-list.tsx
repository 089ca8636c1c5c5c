import {
  Alert,
  Badge,
  Button,
  Card,
  cn,
  EmptyState,
  formatCount,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableRow,
} from "@atrium/plugin-sdk/ui";
import { FileText, Plus } from "lucide-react";
import { useCallback, useState } from "react";
import type { ExemptionRow } from "../../backend/wire.ts";
import { ListSkeleton } from "../parts/list-skeleton.tsx";
import { LoadAlert } from "../parts/load-alert.tsx";
import { attackTexts as texts } from "../rule-texts.ts";
import { texts as common } from "../texts.ts";
import { useFirewall, useRuleLoad, useSaver } from "../use-firewall.ts";
import { ExemptionDialog } from "./exemption-dialog.tsx";
import { ProposalList } from "./proposal-list.tsx";

type Opened = { exemption?: ExemptionRow };

/** Where free text is welcome. */
export const ExemptionList = () => {
  const { calls } = useFirewall();
  const load = useCallback(() => calls.exemptions(), [calls]);
  const { data, error, reload } = useRuleLoad(load);
  const loadProposals = useCallback(() => calls.proposals(), [calls]);
  // The list itself says when the server can't be reached.
  const { data: proposed } = useRuleLoad(loadProposals);
  const save = useSaver();
  const [opened, setOpened] = useState<Opened | null>(null);
  const isFull = data !== null && data.exemptions.length >= data.most;
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-2xl text-muted-foreground text-sm">{texts.exemptionsLead}</p>
        <Button disabled={data === null || isFull} onClick={() => setOpened({})}>
          <Plus aria-hidden="true" />
          {texts.add}
        </Button>
      </div>
      <ProposalList
        proposals={proposed?.proposals ?? []}
        accept={({ id }) => save(() => calls.acceptProposal(id))}
      />
      {isFull && <Alert severity="info">{texts.full(formatCount(data.most))}</Alert>}
      {data === null && error === null && <ListSkeleton label={texts.exemptionsLoading} />}
      {error !== null && <LoadAlert error={error} onRetry={reload} />}
      {data !== null && (
        <Card className="overflow-clip">
          {data.exemptions.length === 0 ? (
            <EmptyState Icon={FileText} title={texts.noExemptions} text={texts.noExemptionsText} />
          ) : (
            <Table isWhole label={texts.exemptionsTable}>
              <TableHeader className="md:top-14" columns={columns} />
              <TableBody>
                {data.exemptions.map((exemption) => (
                  <Row key={exemption.id} exemption={exemption} onOpen={() => setOpened({ exemption })} />
                ))}
              </TableBody>
            </Table>
          )}
        </Card>
      )}
      {opened !== null && <ExemptionDialog {...opened} onClose={() => setOpened(null)} />}
    </div>
  );
};

const looks = { fields: "max-md:hidden", categories: "max-lg:hidden", note: "max-xl:hidden" };
const columns = [
  { name: texts.exemptionColumns.route },
  { name: texts.exemptionColumns.fields, look: looks.fields },
  { name: texts.exemptionColumns.categories, look: looks.categories },
  { name: texts.exemptionColumns.note, look: looks.note },
];

const Row = ({ exemption, onOpen }: { exemption: ExemptionRow; onOpen: () => void }) => {
  const { method, path, note, isBuiltIn } = exemption;
  const muted = "text-muted-foreground";
  const route = `${method === "*" ? "" : `${method} `}${path}`;
  const fields = exemption.fields.join(", ") || texts.allFields;
  const categories =
    exemption.categories.map((category) => common.categories[category]).join(", ") || texts.allCategories;
  return (
    <TableRow className={cn("relative", !isBuiltIn && "hover:bg-muted/60")}>
      <th scope="row" className="py-2 pr-3 pl-4 text-left font-medium max-md:w-full max-md:max-w-0">
        <span className="wrap-anywhere flex flex-wrap items-center gap-x-2 font-mono text-[0.8125rem]">
          {isBuiltIn ? (
            <>
              {route} <Badge className="font-sans">{texts.builtIn}</Badge>
            </>
          ) : (
            <button
              type="button"
              aria-haspopup="dialog"
              onClick={onOpen}
              className="min-h-6 cursor-pointer text-left outline-none after:absolute after:inset-0 focus-visible:after:ring-2 focus-visible:after:ring-ring focus-visible:after:ring-inset"
            >
              {route}
            </button>
          )}
        </span>
        <span className={cn("wrap-anywhere block font-normal text-[0.8125rem] md:hidden", muted)}>
          {fields}
        </span>
        <span className={cn("wrap-anywhere block font-normal text-[0.8125rem] lg:hidden", muted)}>
          {categories}
        </span>
      </th>
      <TableCell className={cn("wrap-anywhere max-w-60 whitespace-normal", looks.fields)}>{fields}</TableCell>
      <TableCell className={cn("min-w-40 whitespace-normal", looks.categories, muted)}>
        {categories}
      </TableCell>
      <TableCell className={cn("min-w-40 whitespace-normal", looks.note, muted)}>{note}</TableCell>
    </TableRow>
  );
};
