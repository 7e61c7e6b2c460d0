// What a person chooses for eyes, ears and hands on this computer.
import { loadTexts } from '#/i18n/areas'
import { LANGUAGES } from '#/i18n/languages'
import { useText } from '#/i18n/text'
import { CONTRASTS, changeLook, DENSITIES, PROFILES, THEMES, useLook } from '#/lib/look'
import { Head, page } from '#/ui/Page'
import { Segmented } from '#/ui/Segmented'
import { Select } from '#/ui/Select'
import { OwnKeys } from './OwnKeys'
import styles from './preferences.module.css'
import { Sounds } from './Sounds'

export const loader = () => loadTexts('preferences')

export function PreferencesPage() {
  const t = useText()
  const look = useLook()
  return (
    <>
      <Head title={t('shell.preferences')} sub={t('prefs.kept')} />
      <div className={`${page.body} ${styles.body}`}>
        <section className={styles.section}>
          <h2>{t('prefs.look')}</h2>
          <Line label={t('prefs.theme')}>
            <Segmented
              label={t('prefs.theme')}
              value={look.theme}
              onChange={(theme) => changeLook({ theme })}
              choices={THEMES.map((value) => ({ value, text: t(`prefs.theme.${value}`) }))}
            />
          </Line>
          <Line label={t('prefs.contrast')}>
            <Segmented
              label={t('prefs.contrast')}
              value={look.contrast}
              onChange={(contrast) => changeLook({ contrast })}
              choices={CONTRASTS.map((value) => ({ value, text: t(`prefs.contrast.${value}`) }))}
            />
          </Line>
          <Line label={t('prefs.density')}>
            <Segmented
              label={t('prefs.density')}
              value={look.density}
              onChange={(density) => changeLook({ density })}
              choices={DENSITIES.map((value) => ({ value, text: t(`prefs.density.${value}`) }))}
            />
          </Line>
          <Select
            label={t('prefs.language')}
            value={look.language}
            onChange={(language) => changeLook({ language })}
            choices={LANGUAGES.map(({ code, name }) => ({ value: code, text: name }))}
          />
        </section>
        <Sounds />
        <section className={styles.section}>
          <h2>{t('prefs.keys')}</h2>
          <Line label={t('prefs.profile')}>
            <Segmented
              label={t('prefs.profile')}
              value={look.profile}
              onChange={(profile) => changeLook({ profile })}
              choices={PROFILES.map((value) => ({ value, text: t(`prefs.profile.${value}`) }))}
            />
          </Line>
          <OwnKeys />
        </section>
      </div>
    </>
  )
}

function Line({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className={styles.line}>
      <span aria-hidden="true" className="medium sm">
        {label}
      </span>
      {children}
    </div>
  )
}
