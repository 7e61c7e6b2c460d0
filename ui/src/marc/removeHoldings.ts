// Holdings and the MARC record that they came from: FOLIO's clients delete one after the other.
import { remove } from '#/api/client'
import { marcIfAny } from './queries'

export async function removeHoldings(id: string, isMarc: boolean) {
  const record = isMarc ? await marcIfAny(id) : null
  await remove(`/holdings-storage/holdings/${id}`)
  if (record) await remove(`/source-storage/records/${record.parsedRecordId}`)
}
