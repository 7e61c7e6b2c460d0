#!/usr/bin/env bash
# One Kafka broker for trying and for tests: scripts/kafka.sh DIRECTORY PORT. Gets Apache Kafka from Maven
# Central into the directory at the first start, keeps its data there, and listens on this machine only.
# Needs Java 17 or later, and Maven for the first start. KAFKA_PROPERTIES names a file of further properties of the
# broker, KAFKA_SCRAM a user for SCRAM as NAME:PASSWORD, KAFKA_DATA another folder for its data.
set -euo pipefail

directory=${1:?scripts/kafka.sh DIRECTORY PORT} port=${2:-9092}
version=4.4.0
controller=$((port + 1))
mkdir -p "$directory"
cd "$directory"
data=${KAFKA_DATA:-$PWD/log}

for program in java mvn; do
  if ! command -v "$program" >/dev/null && { [ "$program" = java ] || [ ! -d libs ]; }; then
    echo "scripts/kafka.sh needs $program" >&2
    exit 2
  fi
done

if [ ! -d libs ]; then
  cat >pom.xml <<POM
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>octavo</groupId><artifactId>broker</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>$version</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>1.7.36</version></dependency>
  </dependencies>
</project>
POM
  mvn -q dependency:copy-dependencies -DoutputDirectory=libs.new -DincludeScope=runtime
  mv libs.new libs
fi

cat >server.properties <<PROPERTIES
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:$controller
listeners=PLAINTEXT://127.0.0.1:$port,CONTROLLER://127.0.0.1:$controller
advertised.listeners=PLAINTEXT://127.0.0.1:$port
controller.listener.names=CONTROLLER
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs=$data
num.partitions=1
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
log.cleaner.dedupe.buffer.size=8388608
PROPERTIES
if [ -n "${KAFKA_PROPERTIES:-}" ]; then
  cat "$KAFKA_PROPERTIES" >>server.properties
fi
users=()
if [ -n "${KAFKA_SCRAM:-}" ]; then
  for mechanism in SCRAM-SHA-256 SCRAM-SHA-512; do
    users+=(--add-scram "$mechanism=[name=${KAFKA_SCRAM%%:*},password=${KAFKA_SCRAM#*:}]")
  done
fi

options=-Dorg.slf4j.simpleLogger.defaultLogLevel=${KAFKA_LOG_LEVEL:-warn}
if [ ! -d "$data" ]; then
  java -Xmx64m "$options" -cp "libs/*" kafka.tools.StorageTool format \
    -t MkU3OEVBNTcwNTJENDM2Qg -c server.properties "${users[@]}"
fi
exec java -Xms96m "-Xmx${KAFKA_MEMORY:-256m}" -XX:+UseSerialGC "$options" -cp "libs/*" kafka.Kafka server.properties
