// Sounds on or off, in the top bar.
import { useText } from '#/i18n/text'
import { useStored } from '#/lib/useStored'
import { Button } from '#/ui/Button'
import { sounds } from './sounds'

export function SoundButton() {
  const t = useText()
  const [settings, write] = useStored(sounds)
  const percent = Math.round(settings.volume * 100)
  return (
    <Button
      kind="quiet"
      wideOnly
      icon={settings.on ? 'volume-2' : 'volume-x'}
      aria-label={settings.on ? t('shell.soundsOn', { percent }) : t('shell.soundsOff')}
      onPress={() => write({ ...settings, on: !settings.on })}
    />
  )
}
