import { Alert, Button, cn, formatCount, Link } from "@atrium/plugin-sdk/ui";
import { Gauge, Plus } from "lucide-react";
import { useCallback, useState } from "react";
import type { RateInput, RateRule } from "../../backend/wire.ts";
import {
  Checks,
  ChoiceField,
  isFine,
  RouteFields,
  RuleDialog,
  TextField,
  useRuleForm,
  WindowFields,
} from "../parts/forms.tsx";
import { InstantSwitch } from "../parts/instant-switch.tsx";
import { type Column, Listed, RowList } from "../parts/lists.tsx";
import {
  isRulePath,
  readWindow,
  toWindowMs,
  wholeNumberComplaint,
  windowText,
} from "../parts/rule-values.ts";
import { rateTexts as texts } from "../rule-texts.ts";
import { texts as common } from "../texts.ts";
import { useFirewall, useRuleLoad } from "../use-firewall.ts";

/** How often things may be asked for. */
export const RatesPage = () => {
  const { api, calls } = useFirewall();
  const loaded = useRuleLoad(useCallback(() => calls.rates(), [calls]));
  const { data } = loaded;
  const [opened, setOpened] = useState<{ rule?: RateRule } | null>(null);
  const isFull = data !== null && data.rules.length >= data.most;
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-2xl text-muted-foreground text-sm">{texts.lead}</p>
        <Button disabled={data === null || isFull} onClick={() => setOpened({})}>
          <Plus aria-hidden="true" />
          {texts.add}
        </Button>
      </div>
      {isFull && <Alert severity="info">{texts.full(formatCount(data.most))}</Alert>}
      {data?.isCounting === false && (
        <Alert severity="info" title={texts.notCounting}>
          {texts.notCountingText}{" "}
          <Link href={api.addressOf("")} className="font-medium underline underline-offset-2">
            {common.toOverview}
          </Link>
        </Alert>
      )}
      <Listed of={loaded} label={texts.loading}>
        {({ rules }) => (
          <RowList
            label={texts.table}
            columns={columns}
            rows={rules}
            keyOf={({ id }) => id}
            pressOf={(rule) => () => setOpened({ rule })}
            empty={{ Icon: Gauge, words: texts }}
          />
        )}
      </Listed>
      {opened !== null && <RateDialog {...opened} onClose={() => setOpened(null)} />}
    </div>
  );
};

const muted = "text-muted-foreground";
const columns: Column<RateRule>[] = [
  {
    name: texts.columns.title,
    isHeading: true,
    cell: ({ title }) => title,
    below: ({ method, path }) => (
      <span className={cn("wrap-anywhere block font-mono font-normal text-[0.8125rem]", muted)}>
        {method === "*" ? "" : `${method} `}
        {path}
      </span>
    ),
  },
  {
    name: texts.columns.limit,
    ...{ from: "md", folds: true },
    cell: ({ max, windowMs }) => common.limit(formatCount(max), windowText(windowMs)),
  },
  {
    name: texts.columns.roles,
    ...{ from: "lg", look: muted },
    cell: ({ roles }) =>
      roles.length === 3 ? texts.everyone : roles.map((role) => common.visitors[role]).join(", "),
  },
  { name: texts.columns.key, from: "xl", look: muted, cell: ({ key }) => texts.keys[key] },
  { name: texts.columns.action, from: "lg", look: muted, cell: ({ action }) => texts.actions[action] },
  { name: texts.columns.hits, from: "sm", look: "text-right", cell: ({ hits }) => formatCount(hits) },
  {
    name: texts.columns.on,
    look: "relative z-10 max-w-48",
    cell: (rule) => <RateSwitch rule={rule} />,
  },
];

const RateSwitch = ({ rule: { id, title, isOn } }: { rule: RateRule }) => {
  const { calls } = useFirewall();
  return (
    <InstantSwitch
      isBare
      label={texts.switchOn(title)}
      isOn={isOn}
      onSwitch={(next, revision) => calls.changeRate(id, { isOn: next, revision })}
    />
  );
};

type Name = "title" | "method" | "path" | "max" | "windowMs" | "unit";

const rules = {
  title: (value: string) => (value.trim() === "" ? texts.titleMissing : null),
  method: isFine,
  path: (value: string) => (isRulePath(value) ? null : common.pathWrong),
  max: (value: string) => wholeNumberComplaint(value, [1, 100_000]),
  windowMs: (value: string, { unit }: Record<Name, string>) =>
    toWindowMs(value, unit) === null ? common.windowWrong : null,
  unit: isFine,
};

/** Adds a rate rule, or changes or deletes one. */
const RateDialog = ({ rule, onClose }: { rule?: RateRule; onClose: () => void }) => {
  const { calls } = useFirewall();
  const [roles, setRoles] = useState<RateRule["roles"]>(rule?.roles ?? ["visitor", "user"]);
  const [key, setKey] = useState(rule?.key ?? "ip");
  const [action, setAction] = useState(rule?.action ?? "block");
  const [needsRole, setNeedsRole] = useState(false);
  const form = useRuleForm({
    rules,
    onClose,
    send: async ({ title, method, path, max, windowMs, unit }, save) => {
      setNeedsRole(roles.length === 0);
      if (roles.length === 0) return null;
      const input: RateInput = {
        ...{ title: title.trim(), method, path: path.trim(), roles, key, action },
        ...{ max: Number(max), windowMs: toWindowMs(windowMs, unit) ?? 0 },
      };
      await save((revision) =>
        rule === undefined
          ? calls.addRate({ ...input, isOn: true, revision })
          : calls.changeRate(rule.id, { ...input, revision }),
      );
      return texts.saved(title.trim());
    },
  });
  const { errors, field } = form;
  return (
    <RuleDialog
      form={form}
      words={texts}
      onClose={onClose}
      known={
        rule && {
          title: texts.editTitle(rule.title),
          question: texts.removeQuestion(rule.title),
          removed: texts.removed(rule.title),
          remove: () => calls.deleteRate(rule.id),
        }
      }
    >
      <TextField
        {...field("title")}
        label={texts.title}
        maxLength={100}
        defaultValue={rule?.title}
        required
      />
      <RouteFields
        method={rule?.method}
        path={rule?.path ?? "/api/*"}
        error={errors.path}
        hint={texts.pathHint}
      />
      <WindowFields errors={errors} max={rule?.max ?? 60} {...readWindow(rule?.windowMs ?? 60_000)} />
      <Checks
        label={texts.roles}
        names={common.visitors}
        className="flex flex-wrap gap-x-6 gap-y-1"
        chosen={roles}
        onChange={(next) => {
          setNeedsRole(false);
          setRoles(next);
        }}
      >
        {needsRole && (
          <p role="alert" className="text-[0.8125rem] text-destructive">
            {texts.rolesMissing}
          </p>
        )}
      </Checks>
      <ChoiceField
        label={texts.key}
        hint={texts.keyHints[key]}
        names={texts.keys}
        value={key}
        onChoose={(choice) => setKey(choice ?? "ip")}
      />
      <ChoiceField
        label={texts.action}
        hint={texts.actionHints[action]}
        names={texts.actions}
        value={action}
        onChoose={(choice) => setAction(choice ?? "block")}
      />
    </RuleDialog>
  );
};
