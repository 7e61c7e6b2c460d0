// The failed records as a file like the one that was imported.
import { useText } from '#/i18n/text'
import { download } from '#/lib/download'
import { useFormats } from '#/lib/format'
import { failedRecords } from '#/transfer/failedRecords'
import { useSaving } from '#/transfer/useSaving'
import { Button } from '#/ui/Button'

export function SaveFailed({ jobId, name }: { jobId: string; name: string }) {
  const t = useText()
  const { number } = useFormats()
  const { run, busy, said } = useSaving()
  const save = () =>
    run(async (signal, say) => {
      const texts = await failedRecords(
        jobId,
        (count, total) => say(t('list.csvRows', { count: number(count), total: number(total) })),
        signal,
      )
      if (!texts.length) return t('data.failedNone')
      download(`failed-${name}`, texts.join(''), 'application/octet-stream')
      return t('data.failedSaved', { count: texts.length })
    })
  return (
    <>
      <span className="sm soft" role="status">
        {said}
      </span>
      <Button small icon="download" busy={busy} onPress={save}>
        {t('data.saveFailed')}
      </Button>
    </>
  )
}
