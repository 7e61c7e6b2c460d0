// The numbers of vouchers: what counting begins with, and the letters before it, which FOLIO keeps as an
// entry of the configuration.
import { get, post, put } from '#/api/client'
import type { Kind } from './kinds'
import type { Values } from './paths'

const START = '/voucher/voucher-number/start'
const ENTRIES = '/configurations/entries'
const NAME = 'voucherNumber'
const WHERE = `module=="INVOICE" and configName=="${NAME}"`
const ID = 'voucher-numbers'

interface Entry {
  id: string
  value?: string
}

const entry = async () =>
  (await get<{ configs: Entry[] }>(ENTRIES, { query: WHERE, limit: 1 })).configs[0]

/** What the entry says; other clients keep more in it, which stays. */
export function saidBy(value: string | undefined): Values {
  try {
    const said: unknown = JSON.parse(value ?? '{}')
    return typeof said === 'object' && said !== null ? (said as Values) : {}
  } catch {
    return {}
  }
}

async function read(): Promise<Values> {
  const [{ sequenceNumber }, stored] = await Promise.all([
    get<{ sequenceNumber: string }>(START),
    entry(),
  ])
  const { voucherNumberPrefix } = saidBy(stored?.value)
  return { id: ID, $start: sequenceNumber, $prefix: voucherNumberPrefix || undefined }
}

async function store(form: Values, before: Values | undefined) {
  // The letters first: a number that was set is counted on from at once.
  if (form.$prefix !== before?.$prefix) {
    const stored = await entry()
    const value = JSON.stringify({
      ...saidBy(stored?.value),
      voucherNumberPrefix: form.$prefix ?? '',
    })
    if (stored) await put(`${ENTRIES}/${stored.id}`, { ...stored, value })
    else await post(ENTRIES, { module: 'INVOICE', configName: NAME, enabled: true, value })
  }
  if (form.$start !== before?.$start)
    await post(`${START}/${encodeURIComponent(String(form.$start))}`, undefined)
}

export const VOUCHER_NUMBERS: Kind = {
  id: ID,
  path: ENTRIES,
  key: 'configs',
  name: '$start',
  where: WHERE,
  title: 'fin.set.voucherNumbers',
  group: 'shell.invoices',
  permission: 'configuration.entries.item',
  makePermission: 'configuration.entries.item.post',
  alsoNeeds: 'voucher-number.start.post',
  single: true,
  fields: [
    {
      name: '$prefix',
      label: 'fin.set.voucherPrefix',
      type: 'text',
      help: 'fin.set.voucherPrefixWhat',
      only: { pattern: /^[a-z]+$/i, text: 'fin.set.onlyLetters' },
    },
    {
      name: '$start',
      label: 'fin.set.voucherStart',
      type: 'text',
      needed: true,
      help: 'fin.set.voucherStartWhat',
      only: { pattern: /^\d{1,18}$/, text: 'fin.set.onlyFigures' },
    },
  ],
  wire: { read, store },
}
