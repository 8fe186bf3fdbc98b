// A Sightline box: a buzzer, lamps and buttons on an Arduino (Uno, Nano, Leonardo, ...).
// Speaks the lines of docs/hardware-protocol.md at 115200 baud. Wire buttons between pin and ground.
// The countdown is told to a display by showClock(); without a display it is only kept.

#include <string.h>
#include <stdlib.h>

const byte PROTOCOL = 1;
const char NAME[] = "sightline-box";

const byte BUZZER_PIN = 8;
const byte BUTTON_PINS[] = {2, 3, 4, 5};
const byte BUTTONS = sizeof(BUTTON_PINS);
struct Lamp { const char *name; byte pin; };
const Lamp LAMPS[] = {
  {"green", 9}, {"amber", 10}, {"red", 11},
  {"seat-s", A0}, {"seat-e", A1}, {"seat-n", A2}, {"seat-w", A3},
};

const byte LONGEST = 80;
const unsigned long REPEAT_MS = 250;
const unsigned long DEBOUNCE_MS = 20;

char line[LONGEST + 1];
byte held = 0;
bool skipping = false;

byte number = 0;          // of our own lines
int lastObeyed = -1;      // the number of the cue obeyed last: a repeated one is only answered

bool buttonDown[BUTTONS];
unsigned long changedAt[BUTTONS];
struct Event { byte number, button; bool down; };
Event waiting[8];         // presses that were not answered yet, oldest first
byte waitingCount = 0;
unsigned long repeatedAt = 0;

unsigned long buzzMs = 0, buzzSince = 0;
byte buzzLeft = 0;
bool buzzOn = false;

long clockLeftMs = 0;
unsigned long clockSince = 0;
bool clockRuns = false;

byte crc8(const char *text, byte length) {
  byte crc = 0;
  for (byte at = 0; at < length; at++) {
    crc ^= text[at];
    for (byte bit = 0; bit < 8; bit++) crc = crc & 0x80 ? (crc << 1) ^ 0x07 : crc << 1;
  }
  return crc;
}

void say(byte lineNumber, const char *words) {
  char body[LONGEST + 1];
  int length = snprintf(body, sizeof(body) - 4, "%u %s", lineNumber, words);
  if (length <= 0 || length >= (int)sizeof(body) - 4) return;
  snprintf(body + length, 5, "*%02X\n", crc8(body, length));
  Serial.print(body);
}

void greet() {
  char words[32];
  snprintf(words, sizeof(words), "BOX %u %s", PROTOCOL, NAME);
  say(++number, words);
}

void answer(byte theirs) {
  char words[8];
  snprintf(words, sizeof(words), "OK %u", theirs);
  say(theirs, words);
}

void tell(const Event &event) {
  char words[20];
  snprintf(words, sizeof(words), "BUTTON %u %s", event.button, event.down ? "DOWN" : "UP");
  say(event.number, words);
}

void setBuzzer(bool on) {
  buzzOn = on;
  buzzSince = millis();
  digitalWrite(BUZZER_PIN, on ? HIGH : LOW);
}

void showClock(long leftMs, bool runs) {
  (void)leftMs;
  (void)runs;  // put your display here
}

void obey(char *words) {
  char *word = strtok(words, " ");
  char *first = strtok(NULL, " ");
  char *second = strtok(NULL, " ");
  if (!strcmp(word, "BUZZ") && first && second) {
    buzzMs = strtoul(first, NULL, 10);
    buzzLeft = atoi(second);
    setBuzzer(buzzLeft > 0);
  } else if (!strcmp(word, "LAMP") && first && second) {
    for (const Lamp &lamp : LAMPS)
      if (!strcmp(lamp.name, first)) digitalWrite(lamp.pin, strcmp(second, "ON") ? LOW : HIGH);
  } else if (!strcmp(word, "CLOCK") && first && second) {
    clockLeftMs = atol(first);
    clockRuns = !strcmp(second, "RUN");
    clockSince = millis();
    showClock(clockLeftMs, clockRuns);
  }
  // PING, and what later versions may say, needs no more than the answer.
}

void forget(byte answered) {
  for (byte at = 0; at < waitingCount; at++) {
    if (waiting[at].number != answered) continue;
    for (byte next = at + 1; next < waitingCount; next++) waiting[next - 1] = waiting[next];
    waitingCount--;
    return;
  }
}

void take() {
  char *star = strrchr(line, '*');
  if (!star || strlen(star) != 3) return;
  if (strtoul(star + 1, NULL, 16) != crc8(line, star - line)) return;
  *star = 0;
  char *space = strchr(line, ' ');
  if (!space) return;
  byte theirs = atoi(line);
  char *words = space + 1;
  if (!strncmp(words, "OK ", 3)) {
    forget(atoi(words + 3));
  } else if (!strncmp(words, "HELLO", 5)) {
    lastObeyed = theirs;
    greet();
  } else {
    if (lastObeyed != theirs) {
      lastObeyed = theirs;
      obey(words);
    }
    answer(theirs);
  }
}

void readLine() {
  while (Serial.available()) {
    char got = Serial.read();
    if (got == '\n') {
      line[held] = 0;
      if (!skipping && held) take();
      held = 0;
      skipping = false;
    } else if (got == '\r' || skipping) {
      continue;
    } else if (held == LONGEST) {
      skipping = true;
    } else {
      line[held++] = got;
    }
  }
}

void readButtons() {
  for (byte button = 0; button < BUTTONS; button++) {
    bool down = digitalRead(BUTTON_PINS[button]) == LOW;
    if (down == buttonDown[button] || millis() - changedAt[button] < DEBOUNCE_MS) continue;
    buttonDown[button] = down;
    changedAt[button] = millis();
    if (waitingCount == sizeof(waiting) / sizeof(*waiting)) continue;  // nobody listens
    Event event = {++number, button, down};
    waiting[waitingCount++] = event;
    tell(event);
    repeatedAt = millis();
  }
  if (waitingCount && millis() - repeatedAt >= REPEAT_MS) {
    repeatedAt = millis();
    tell(waiting[0]);  // in order: the next is repeated once this one is answered
  }
}

void runBuzzer() {
  if (!buzzLeft || millis() - buzzSince < buzzMs) return;
  if (buzzOn) {
    buzzLeft--;
    setBuzzer(false);
  } else {
    setBuzzer(true);
  }
}

void runClock() {
  if (!clockRuns) return;
  unsigned long gone = millis() - clockSince;
  if (gone < 100) return;
  clockSince += gone;
  clockLeftMs = clockLeftMs > (long)gone ? clockLeftMs - (long)gone : 0;
  showClock(clockLeftMs, true);
}

void setup() {
  pinMode(BUZZER_PIN, OUTPUT);
  for (const Lamp &lamp : LAMPS) pinMode(lamp.pin, OUTPUT);
  for (byte button = 0; button < BUTTONS; button++) pinMode(BUTTON_PINS[button], INPUT_PULLUP);
  Serial.begin(115200);
  greet();
}

void loop() {
  readLine();
  readButtons();
  runBuzzer();
  runClock();
}
