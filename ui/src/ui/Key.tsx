// A key to press, as it is written on the keyboard.
import { useText } from '#/i18n/text'

export function Key({ combo }: { combo: string }) {
  const t = useText()
  const mod = t('shell.keyMod')
  return <kbd>{combo.replaceAll('Mod', mod).replaceAll('+', ' ')}</kbd>
}
