/*
 * `@atrium/plugin-sdk/ui`: the host's own components, for frontends in the host's window. What the admin area uses anyway
 * costs nothing here; plugins get it under these names and no others.
 */
export { Link, useSearchParams } from "wouter";
export { ConfirmDialog, LeaveQuestion } from "#ui/components/confirm-dialog.tsx";
export { DayBars } from "#ui/components/day-bars.tsx";
export { FormDialog } from "#ui/components/form.tsx";
export { RetryAlert } from "#ui/components/retry-alert.tsx";
export { Alert } from "#ui/components/ui/alert.tsx";
export { Badge } from "#ui/components/ui/badge.tsx";
export { Button, buttonVariants } from "#ui/components/ui/button.tsx";
export { Card, CardContent, CardHeader, CardTitle } from "#ui/components/ui/card.tsx";
export { Checkbox } from "#ui/components/ui/checkbox.tsx";
export { Dialog } from "#ui/components/ui/dialog.tsx";
export { Field } from "#ui/components/ui/field.tsx";
export { Input } from "#ui/components/ui/input.tsx";
export { Select } from "#ui/components/ui/select.tsx";
export { Sheet } from "#ui/components/ui/sheet.tsx";
export { Skeleton } from "#ui/components/ui/skeleton.tsx";
export { Spinner } from "#ui/components/ui/spinner.tsx";
export { Switch } from "#ui/components/ui/switch.tsx";
export {
  DataTable,
  pressableRow,
  RowButton,
  Table,
  TableBody,
  TableCell,
  TableHeader,
  TableRow,
} from "#ui/components/ui/table.tsx";
export { Textarea } from "#ui/components/ui/textarea.tsx";
export { useForm } from "#ui/components/ui/use-form.ts";
export { Copyable, Fact } from "#ui/features/admin/facts.tsx";
export {
  formatBytes,
  formatCount,
  formatDate,
  formatDateTime,
  formatDuration,
  formatMs,
} from "#ui/features/admin/format.ts";
export { EmptyList as EmptyState, KeepFocus } from "#ui/features/admin/list-parts.tsx";
export { ListPager, ListSearch, NoRows } from "#ui/features/admin/paged-list.tsx";
export { TabLinks } from "#ui/features/admin/tab-links.tsx";
export { failureText } from "#ui/lib/api.ts";
export { cn } from "#ui/lib/cn.ts";
export { useAct } from "#ui/lib/use-act.ts";
export { useLeaveGuard } from "#ui/lib/use-leave-guard.ts";
export { useLoad } from "#ui/lib/use-load.ts";
export { Label } from "../components/ui/field.tsx";
export { PluginIcon } from "./plugin-icon.tsx";
