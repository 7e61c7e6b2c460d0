// Automated patron blocks: what each condition blocks, and from which number on for each patron group.
import { get, post, put, remove } from '#/api/client'
import { equals } from '#/api/cql'
import type { TextId } from '#/i18n/text'
import type { Kind } from './kinds'
import type { Values } from './paths'

const group = 'set.groupCirculation'
const PATH = '/patron-block-limits'

/** FOLIO's conditions have the same ids everywhere. */
const CONDITIONS: readonly { id: string; label: TextId }[] = [
  { id: '3d7c52dc-c732-4223-8bf8-e5917801386f', label: 'set.limit.items' },
  { id: '584fbd4f-6a34-4730-a6ca-73a6a6a9d845', label: 'set.limit.overdue' },
  { id: 'e5b45031-a202-4abb-917b-e1df9346fe2c', label: 'set.limit.recalls' },
  { id: '08530ac4-07f2-48e6-9dda-a97bc2bf7053', label: 'set.limit.recallDays' },
  { id: '72b67965-5b73-4840-bc0b-be8f3f6e047e', label: 'set.limit.lost' },
  { id: 'cf7a0d5f-a327-4ca1-aa9e-dc55ec006b8a', label: 'set.limit.balance' },
]

interface Limit {
  id: string
  patronGroupId: string
  conditionId: string
  value?: number
}

const limitsOf = async (groupId: string): Promise<Limit[]> => {
  const query = equals('patronGroupId', groupId)
  const found = await get<{ patronBlockLimits: Limit[] }>(PATH, { query, limit: 100 })
  return found.patronBlockLimits
}

/** A patron group with a number for each condition, where it has one. */
async function readLimits(id: string): Promise<Values> {
  const [{ group: name }, limits] = await Promise.all([
    get<{ group: string }>(`/groups/${id}`),
    limitsOf(id),
  ])
  const values = limits.filter(({ value }) => value !== undefined)
  return {
    id,
    group: name,
    ...Object.fromEntries(values.map((one) => [`$${one.conditionId}`, one.value])),
  }
}

/** FOLIO keeps a record for each number: what differs is made, changed or deleted. */
async function writeLimits(record: Values): Promise<void> {
  const patronGroupId = String(record.id)
  const stored = new Map((await limitsOf(patronGroupId)).map((one) => [one.conditionId, one]))
  for (const { id: conditionId } of CONDITIONS) {
    const before = stored.get(conditionId)
    const value = record[`$${conditionId}`]
    if (before?.value === value) continue
    if (value === undefined) await remove(`${PATH}/${before?.id}`)
    else if (before) await put(`${PATH}/${before.id}`, { ...before, value })
    else await post(PATH, { id: crypto.randomUUID(), patronGroupId, conditionId, value })
  }
}

export const BLOCKS: readonly Kind[] = [
  {
    id: 'block-limits',
    path: '/groups',
    key: 'usergroups',
    name: 'group',
    title: 'set.blockLimits',
    group,
    permission: 'patron-blocks.patron-block-limits.item',
    fixed: true,
    wire: { read: readLimits, store: writeLimits },
    fields: CONDITIONS.map(({ id, label }) => ({
      name: `$${id}`,
      label,
      type: 'number',
      help: 'set.limit.help',
    })),
  },
  {
    id: 'block-conditions',
    path: '/patron-block-conditions',
    key: 'patronBlockConditions',
    name: 'name',
    title: 'set.blockConditions',
    group,
    permission: 'patron-blocks.patron-block-conditions.item',
    fixed: true,
    fields: [
      { name: 'blockBorrowing', label: 'set.blocksBorrowing', type: 'check' },
      { name: 'blockRenewals', label: 'set.blocksRenewals', type: 'check' },
      { name: 'blockRequests', label: 'set.blocksRequests', type: 'check' },
      { name: 'message', label: 'set.blockMessage', type: 'lines', help: 'set.blockMessageHelp' },
    ],
    columns: ['message'],
  },
]
