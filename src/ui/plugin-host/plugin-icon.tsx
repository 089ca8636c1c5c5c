import {
  ChartColumn,
  ChartLine,
  Code,
  Database,
  Gauge,
  type LucideIcon,
  Puzzle,
  Settings,
  Shield,
  ShieldCheck,
  User,
} from "lucide-react";

const icons: Record<string, LucideIcon> = {
  Shield,
  Speed: Gauge,
  Settings,
  Storage: Database,
  Security: ShieldCheck,
  Analytics: ChartLine,
  Code,
  Person: User,
  BarChart: ChartColumn,
};

/** An icon that a plugin chose by its name; any other name is that of a plugin. */
export const PluginIcon = ({ name, className }: { name: string; className: string }) => {
  const Icon = Object.hasOwn(icons, name) ? (icons[name] ?? Puzzle) : Puzzle;
  return <Icon aria-hidden="true" className={className} />;
};
