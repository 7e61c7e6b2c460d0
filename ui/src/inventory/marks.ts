// The statuses that staff may give an item, by FOLIO's routes; each has a permission of its own.
export const MARKS = [
  { route: 'mark-missing', status: 'Missing' },
  { route: 'mark-long-missing', status: 'Long missing' },
  { route: 'mark-withdrawn', status: 'Withdrawn' },
  { route: 'mark-in-process', status: 'In process' },
  { route: 'mark-in-process-non-requestable', status: 'In process (non-requestable)' },
  { route: 'mark-intellectual-item', status: 'Intellectual item' },
  { route: 'mark-restricted', status: 'Restricted' },
  { route: 'mark-unavailable', status: 'Unavailable' },
  { route: 'mark-unknown', status: 'Unknown' },
] as const

export const markPermission = (route: string) => `inventory.items.item.${route}.post`
