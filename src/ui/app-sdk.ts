/** `#app/ui`: what pages of own features are made of. Of what a page doesn't use nothing gets into its chunk. */
export { namesOf } from "#contract/define-feature.ts";
export { ConfirmDialog } from "#ui/components/confirm-dialog.tsx";
export { DownloadLink } from "#ui/components/download-link.tsx";
export { Alert } from "#ui/components/ui/alert.tsx";
export { Badge } from "#ui/components/ui/badge.tsx";
export { Button, buttonVariants } from "#ui/components/ui/button.tsx";
export { Card } from "#ui/components/ui/card.tsx";
export { DateField } from "#ui/components/ui/date-field.tsx";
export { Dialog } from "#ui/components/ui/dialog.tsx";
export { Field } from "#ui/components/ui/field.tsx";
export { Input } from "#ui/components/ui/input.tsx";
export { Select } from "#ui/components/ui/select.tsx";
export { Skeleton } from "#ui/components/ui/skeleton.tsx";
export { Table, TableBody, TableCell, TableHeader, TableRow } from "#ui/components/ui/table.tsx";
export { Textarea } from "#ui/components/ui/textarea.tsx";
export { type FormRules, useForm } from "#ui/components/ui/use-form.ts";
export { formatDate, formatDateTime } from "#ui/features/admin/format.ts";
export { EmptyList } from "#ui/features/admin/list-parts.tsx";
export { PageHeader } from "#ui/features/admin/page-header.tsx";
export { failureText } from "#ui/lib/api.ts";
export { type DashboardCard, definePages, type OwnPage } from "#ui/lib/define-pages.ts";
export { FeatureSettingsPage } from "#ui/lib/feature-settings-page.tsx";
export { notify } from "#ui/lib/notices.ts";
export { useSession } from "#ui/lib/session.ts";
export { useLoad } from "#ui/lib/use-load.ts";
export {
  FieldFacts,
  FieldInputs,
  FieldValue,
  featureClient,
  fieldRules,
  ListPage,
  typedValues,
} from "./lib/feature-pages.tsx";
