# JMeter from Maven, in the layout of its own distribution. Sourced, not run; uses perf/lib.sh.

jmeter_version=5.6.3
jmeter_home=${CARGO_TARGET_DIR:-target}/jmeter-$jmeter_version

# Fetches JMeter once. Fails with a message without Maven or Java.
prepare_jmeter() {
  if [ -f "$jmeter_home/bin/ApacheJMeter.jar" ]; then return 0; fi
  if ! command -v mvn >/dev/null || ! command -v java >/dev/null; then
    step "  JMeter is left out: it needs mvn and java (Debian: apt-get install maven)"
    return 1
  fi
  step "  fetching JMeter $jmeter_version (140 jars, 70 MB)"
  local new=$jmeter_home.new log=$work/maven.log
  rm -rf "$new"
  mkdir -p "$new/bin" "$new/lib/ext"
  if ! mvn -q -B -f perf/jmeter/pom.xml dependency:copy-dependencies -DoutputDirectory="$(realpath "$new")/lib" >"$log" 2>&1 ||
    ! mvn -q -B -f perf/jmeter/pom.xml dependency:unpack-dependencies -DincludeArtifactIds=ApacheJMeter_config \
      -DoutputDirectory="$(realpath "$new")/config" -Dmdep.useSubDirectoryPerArtifact=false >>"$log" 2>&1; then
    step "  JMeter is left out: Maven could not fetch it: $(grep -m 1 ERROR "$log" || tail -n 1 "$log")"
    return 1
  fi
  mv "$new/lib/ApacheJMeter-$jmeter_version.jar" "$new/bin/ApacheJMeter.jar"
  mv "$new"/lib/ApacheJMeter_*.jar "$new/lib/ext/"
  find "$new/config" -path '*bin*' -type f \( -name '*.properties' -o -name '*.xml' -o -name '*.parameters' \) -exec cp {} "$new/bin/" \;
  rm -rf "$new/config" "$jmeter_home"
  mv "$new" "$jmeter_home"
}

# Runs a plan with the heap size and garbage collector of JMeter's own start script.
jmeter() { # arguments of JMeter
  exec java -Xms1g -Xmx1g -XX:MaxMetaspaceSize=256m -XX:+UseG1GC -XX:MaxGCPauseMillis=100 \
    -XX:G1ReservePercent=20 -Duser.language=en -Duser.region=EN -Duser.timezone=UTC -Djava.awt.headless=true \
    -Djava.util.prefs.userRoot="$work" -jar "$jmeter_home/bin/ApacheJMeter.jar" -n -j "$work/jmeter.log" "$@"
}
