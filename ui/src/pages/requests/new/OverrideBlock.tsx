// A request that was refused only because the patron is blocked can be placed with a comment.
import type { Failure } from '#/api/errors'
import { useText } from '#/i18n/text'
import { useMay } from '#/lib/permissions'
import { TextField } from '#/ui/TextField'

interface Props {
  failure: Failure | undefined
  value: string | undefined
  onChange: (comment: string | undefined) => void
}

export function OverrideBlock({ failure, value, onChange }: Props) {
  const t = useText()
  const { reason } = useMay('overridePatronBlock')
  const isBlock =
    failure?.kind === 'refused' &&
    failure.errors.every((one) => one.overridableBlock?.name === 'patronBlock')
  if (!isBlock && value === undefined) return null
  return (
    <TextField
      label={t('request.overrideWhy')}
      help={reason ?? t('request.overrideWhat')}
      isDisabled={Boolean(reason)}
      value={value ?? ''}
      onChange={(text) => onChange(text.trim() ? text : undefined)}
    />
  )
}
