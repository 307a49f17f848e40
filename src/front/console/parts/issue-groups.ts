/** Issues, and the groups of categories shown on the overview. */
export type Issue = {
  id: string;
  severity: "critical" | "warning";
  category: string;
  since: string | null;
  description: string;
  suggestedAction: string;
  subject: string;
  page: string;
  subjectId: string | null;
  organisationId: string | null;
  organisationName: string | null;
  /** Number of issues of this category and severity, listed or not; 100 means 100 or more. */
  total: number;
};

/** Number of issues, listed or not. */
export function totalOf(issues: Issue[]): number {
  const kinds = new Map(issues.map(({ category, severity, total }) => [`${category} ${severity}`, total]));
  return [...kinds.values()].reduce((sum, total) => sum + total, 0);
}

export type IssueGroup = { name: string; title: string; categories: string[] };

export const issueGroups: IssueGroup[] = [
  { name: "endpoints", title: "Endpoints", categories: ["failing_endpoint", "failing_stream", "lost_secret"] },
  { name: "queues", title: "Queues", categories: ["stuck_queue", "late_deliveries"] },
  { name: "executors", title: "Executors", categories: ["silent_executor"] },
  { name: "limits", title: "Limits", categories: ["reached_limit"] },
  { name: "email", title: "Email", categories: ["failing_mail"] },
  { name: "approvals", title: "Approvals", categories: ["expired_approval"] },
];

/** Gets every category without a group of its own, so that no issue is hidden. */
const service: IssueGroup = { name: "service", title: "Service", categories: [] };
issueGroups.push(service);

export const isIn = ({ category }: Issue, group: IssueGroup): boolean =>
  group === service
    ? !issueGroups.some(({ categories }) => categories.includes(category))
    : group.categories.includes(category);
