export const TABS = [
  'overview',
  'reports',
  'trends',
  'indexes',
  'trace',
  'profile',
  'jobs',
  'timers',
  'audit',
] as const
export type Tab = (typeof TABS)[number]
