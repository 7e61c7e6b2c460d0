// Volume, and each kind of tone: heard by a press, switched off by its box.
import { useId } from 'react'
import { play, sounds, TONES } from '#/desk/sounds'
import { useText } from '#/i18n/text'
import { useStored } from '#/lib/useStored'
import { Button } from '#/ui/Button'
import { Checkbox } from '#/ui/Checkbox'
import styles from './preferences.module.css'

export function Sounds() {
  const t = useText()
  const id = useId()
  const [settings, write] = useStored(sounds)
  return (
    <section className={styles.section}>
      <h2>{t('prefs.sounds')}</h2>
      <Checkbox checked={settings.on} onChange={(on) => write({ ...settings, on })}>
        {t('prefs.soundsOn')}
      </Checkbox>
      <div className={styles.line}>
        <label htmlFor={id} className="medium sm">
          {t('prefs.volume')}
        </label>
        <input
          id={id}
          type="range"
          min={0}
          max={100}
          step={5}
          value={Math.round(settings.volume * 100)}
          onChange={(event) => write({ ...settings, volume: Number(event.target.value) / 100 })}
        />
      </div>
      <ul className={styles.tones}>
        {TONES.map((tone) => (
          <li key={tone}>
            <Checkbox
              checked={!settings.off.includes(tone)}
              onChange={(on) =>
                write({
                  ...settings,
                  off: on ? settings.off.filter((one) => one !== tone) : [...settings.off, tone],
                })
              }
            >
              {t(`desk.tone.${tone}`)}
            </Checkbox>
            <Button
              kind="quiet"
              small
              icon="play"
              aria-label={t('prefs.hear', { tone: t(`desk.tone.${tone}`) })}
              onPress={() => play(tone, { ...settings, on: true, off: [] })}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
