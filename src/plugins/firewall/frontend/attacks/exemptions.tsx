import { Alert, Badge, Button, CardContent, cn, formatCount, Link } from "@atrium/plugin-sdk/ui";
import { FileText, Plus } from "lucide-react";
import { useCallback, useState } from "react";
import type { Category } from "../../backend/engine/engine-types.ts";
import type { ExemptionInput, ExemptionRow, Proposal } from "../../backend/wire.ts";
import { Checks, isFine, RouteFields, RuleDialog, TextField, useRuleForm } from "../parts/forms.tsx";
import { type Column, Listed, RowList } from "../parts/lists.tsx";
import { isRulePath, readFieldNames } from "../parts/rule-values.ts";
import { TitledCard } from "../parts/titled-card.tsx";
import { useRowActions } from "../parts/use-row-actions.ts";
import { pathOf } from "../place.ts";
import { exemptionTexts, attackTexts as texts } from "../rule-texts.ts";
import { texts as common } from "../texts.ts";
import { useFirewall, useRuleLoad, useSaver } from "../use-firewall.ts";

/** Where free text is welcome. */
export const ExemptionList = () => {
  const { calls } = useFirewall();
  const loaded = useRuleLoad(useCallback(() => calls.exemptions(), [calls]));
  // The list itself says when the server can't be reached.
  const { data: proposed } = useRuleLoad(useCallback(() => calls.proposals(), [calls]));
  const save = useSaver();
  const [opened, setOpened] = useState<{ exemption?: ExemptionRow } | null>(null);
  const { data } = loaded;
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
        accept={({ id }) => save(() => calls.acceptProposal(id, null))}
      />
      {isFull && <Alert severity="info">{texts.full(formatCount(data.most))}</Alert>}
      <Listed of={loaded} label={texts.exemptionsLoading}>
        {({ exemptions }) => (
          <RowList
            label={texts.exemptionsTable}
            columns={columns}
            rows={exemptions}
            keyOf={({ id }) => id}
            pressOf={(exemption) => (exemption.isBuiltIn ? null : () => setOpened({ exemption }))}
            empty={{ Icon: FileText, words: exemptionTexts }}
          />
        )}
      </Listed>
      {opened !== null && <ExemptionDialog {...opened} onClose={() => setOpened(null)} />}
    </div>
  );
};

const muted = "text-muted-foreground";
const columns: Column<ExemptionRow>[] = [
  {
    name: texts.exemptionColumns.route,
    isHeading: true,
    cell: ({ method, path, isBuiltIn }) => (
      <span className="font-mono text-[0.8125rem]">
        {method === "*" ? "" : `${method} `}
        {path} {isBuiltIn && <Badge className="font-sans">{texts.builtIn}</Badge>}
      </span>
    ),
  },
  {
    name: texts.exemptionColumns.fields,
    ...{ from: "md", folds: true, look: "wrap-anywhere min-w-60 whitespace-normal" },
    cell: ({ fields }) => fields.join(", ") || texts.allFields,
  },
  {
    name: texts.exemptionColumns.categories,
    ...{ from: "lg", folds: true, look: cn("min-w-40 whitespace-normal", muted) },
    cell: ({ categories }) => namesOf(categories) || texts.allCategories,
  },
  {
    name: common.note,
    ...{ from: "xl", look: cn("min-w-40 whitespace-normal", muted) },
    cell: ({ note }) => note,
  },
];

const namesOf = (categories: readonly Category[]) =>
  categories.map((category) => common.categories[category]).join(", ");

type ExemptionDialogProps = {
  /** What is in the fields at first. */
  start?: ExemptionInput;
  /** The one that is changed, if any. */
  exemption?: ExemptionRow;
  onClose: () => void;
};

const rules = {
  method: isFine,
  path: (value: string) => (isRulePath(value) ? null : common.pathWrong),
  fields: isFine,
  note: isFine,
};

/** Adds an exemption, or changes or deletes one. */
export const ExemptionDialog = ({ start, exemption, onClose }: ExemptionDialogProps) => {
  const { calls } = useFirewall();
  const first: ExemptionInput = exemption ?? start ?? {};
  const [chosen, setChosen] = useState<readonly Category[]>(first.categories ?? []);
  const [isWide, setIsWide] = useState((first.fields ?? []).length === 0);
  const form = useRuleForm({
    rules,
    onClose,
    send: async ({ method, path, fields, note }, save) => {
      const input: ExemptionInput = {
        ...{ method, path: path.trim(), note: note.trim() },
        ...{ fields: readFieldNames(fields), categories: [...chosen] },
      };
      await save((revision) =>
        exemption === undefined
          ? calls.addExemption({ ...input, revision })
          : calls.changeExemption(exemption.id, { ...input, revision }),
      );
      return texts.saved;
    },
  });
  const { errors, field } = form;
  return (
    <RuleDialog
      form={form}
      words={texts}
      onClose={onClose}
      known={
        exemption && {
          title: texts.editTitle,
          question: texts.removeQuestion(exemption.path),
          removed: texts.removed,
          remove: () => calls.deleteExemption(exemption.id),
        }
      }
    >
      <RouteFields method={first.method} path={first.path ?? ""} error={errors.path} hint={texts.pathHint} />
      <TextField
        {...field("fields")}
        label={texts.fields}
        hint={texts.fieldsHint}
        isCode
        defaultValue={(first.fields ?? []).join(", ")}
        onInput={(event) => setIsWide(readFieldNames(event.currentTarget.value).length === 0)}
      />
      <Checks
        label={texts.categories}
        names={common.categories}
        className="grid gap-x-4 gap-y-1.5 sm:grid-cols-2"
        chosen={chosen}
        onChange={setChosen}
      >
        <p className="mt-1 text-[0.8125rem] text-muted-foreground">{texts.categoriesHint}</p>
      </Checks>
      {isWide && chosen.length === 0 && <Alert severity="warning">{texts.wide}</Alert>}
      <TextField {...field("note")} label={common.note} maxLength={200} defaultValue={first.note} />
    </RuleDialog>
  );
};

type ProposalListProps = {
  proposals: readonly Proposal[];
  lead?: string;
  accept: (proposal: Proposal) => Promise<unknown>;
};

/** Exemptions that requests of signed-in users suggest, each accepted with one press; nothing without any. */
export const ProposalList = ({ proposals, lead = texts.proposalsLead, accept }: ProposalListProps) => {
  const { api } = useFirewall();
  const { busy, failure, act } = useRowActions();
  if (proposals.length === 0) return null;
  return (
    <TitledCard title={texts.proposals}>
      <CardContent className="grid gap-4">
        <p className="max-w-2xl text-muted-foreground text-sm">{lead}</p>
        {failure !== null && <Alert severity="error">{failure}</Alert>}
        <ul className="grid gap-3">
          {proposals.map((proposal) => {
            const { id, method, path, fields, categories, requests, users, examples } = proposal;
            const route = `${method} ${path}`;
            const names = fields.join(", ");
            return (
              <li key={id} className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 text-sm">
                <div className="wrap-anywhere min-w-0">
                  <p>{texts.proposal(names, route)}</p>
                  <p className="text-[0.8125rem] text-muted-foreground">
                    {texts.proposedBy(formatCount(requests), requests === 1, formatCount(users), users === 1)}{" "}
                    {namesOf(categories)}{" "}
                    {examples[0] !== undefined && (
                      <Link
                        href={api.addressOf(pathOf("explain", examples[0]))}
                        className="underline underline-offset-2"
                      >
                        {texts.example}
                      </Link>
                    )}
                  </p>
                </div>
                <Button
                  size="sm"
                  variant="outline"
                  disabled={busy !== null}
                  aria-label={texts.acceptFor(names, route)}
                  onClick={() =>
                    act(id, async () => {
                      await accept(proposal);
                      api.notify(texts.accepted(names, route));
                    })
                  }
                >
                  {texts.accept}
                </Button>
              </li>
            );
          })}
        </ul>
      </CardContent>
    </TitledCard>
  );
};
