// Saves records as MARC, and says how far it is.
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useMay } from '#/lib/permissions'
import { IDS_MAX, type RecordType, saveAsMarc } from './quickExport'
import { useSaving } from './useSaving'

type Ids = (signal: AbortSignal) => Promise<readonly string[]>

export function useMarcSave(type: RecordType, name: string) {
  const t = useText()
  const { number } = useFormats()
  const may = useMay('quickExport')
  const { run, busy, said } = useSaving()
  const save = (ids: Ids) =>
    run(async (signal) => {
      const wanted = await ids(signal)
      if (wanted.length > IDS_MAX)
        return t('list.marcMany', { count: number(wanted.length), most: number(IDS_MAX) })
      const { done, failed } = await saveAsMarc(type, wanted, name, signal)
      if (!done) return t('list.marcNone')
      return failed
        ? t('list.marcSome', { count: number(done), failed: number(failed) })
        : t('list.marcDone', { count: done })
    })
  return { save, busy, said, reason: may.reason }
}
