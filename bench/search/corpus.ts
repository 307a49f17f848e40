/**
 * The corpus of the search benchmark: memories of three organisations in three languages, and questions about them.
 * Questions use synonyms, typos, other word forms, and words that other memories contain too. Questions marked `test` are
 * the test set: only their share of hits is printed, and the search was not tuned with them.
 */
export type Memory = { name: string; kind: string; subject: string; value: string };
/** `answers`: names of the memories that answer the question. It is a hit if one of them is among the first five. */
export type Question = { text: string; answers: string[]; kind: Kind; isTest: boolean };
export type Kind = "plain" | "synonym" | "typo" | "other form" | "distractors";
export type Corpus = { language: string; memories: Memory[]; questions: Question[] };

const memories = (rows: string): Memory[] =>
  rows
    .trim()
    .split("\n")
    .map((row) => {
      const [name = "", kind = "", subject = "", value = ""] = row.split("|").map((cell) => cell.trim());
      return { name, kind, subject, value };
    });

const questions = (rows: string): Question[] =>
  rows
    .trim()
    .split("\n")
    .map((row) => {
      const [text = "", answers = "", kind = "", set = ""] = row.split("|").map((cell) => cell.trim());
      return { text, answers: answers.split(" "), kind: kind as Kind, isTest: set === "test" };
    });

const english: Corpus = {
  language: "english",
  memories: memories(`
hours | policy | Opening hours | The harbour office is open from nine to five on weekdays.
hours-winter | policy | Winter hours | From November to March the office closes at three.
master | contact | Harbour master | Jan Kowalski is the harbour master; his deputy is Ingrid Sørensen.
tides | fact | Tides | High tide at the north quay comes forty minutes after the table says.
berths | fact | Berths | There are forty-two berths, six of them for yachts longer than twenty metres.
fees | policy | Mooring fees | Mooring costs twelve euros a night up to ten metres, and two euros for each metre beyond.
fees-late | policy | Late payment | Invoices are due within fourteen days; after that we charge five per cent.
fuel | fact | Fuel dock | Diesel and petrol are sold at the south pier until eight in the evening.
water | fact | Drinking water | Taps on piers one to four; the water on pier five must not be drunk.
power | fact | Shore power | Sockets give sixteen amperes; for thirty-two ask the electrician.
electrician | contact | Electrician | Tomasz Zielinski repairs sockets and cables, usually within a day.
crane | fact | Crane | The crane lifts eighteen tonnes and needs two people and no wind above six.
crane-booking | policy | Booking the crane | Lifts are booked two days ahead with the yard manager.
yard | contact | Yard manager | Priya Raman runs the boatyard and hands out winter places.
winter-storage | policy | Winter storage | Boats are hauled out in October and stored in hall B until April.
dogs | policy | Dogs | Dogs are welcome on a leash, except on the fuel dock.
waste | policy | Waste | Oil and paint go to the yellow container behind the workshop, never into the bins.
wifi | fact | Wireless network | The guest network is called Pelican; its password changes every Monday.
parking | policy | Parking | Cars of guests stand behind the chandlery; permits are at the reception desk.
ferry | fact | Ferry | The ferry to the island leaves at seven and at four, and does not take cars.
lighthouse | fact | Lighthouse | The lighthouse can be visited on Sundays; the last tour starts at half past three.
storm | policy | Storm warning | When the red flag is up nobody leaves the harbour, and lines are doubled.
rescue | contact | Sea rescue | The lifeboat is reached on channel sixteen or by calling 112.
police | contact | Harbour police | Officer Bianca Moretti registers thefts and accidents.
insurance | policy | Insurance | Every boat needs third-party cover of three million euros.
regatta | milestone | Summer regatta | The regatta takes place on the second weekend of July; registration ends on 1 June.
dredging | milestone | Dredging | The entrance is dredged to four metres in February, and closed for a week.
board | decision | Board meeting | The board meets on the first Thursday of each month in the pilot house.
budget | decision | Budget | Next year's budget sets aside eighty thousand euros for a new pontoon.
pontoon | milestone | New pontoon | The floating pontoon at pier three is delivered in May.
software | decision | Booking system | We move from spreadsheets to Marinero for reservations of berths.
backup | policy | Backups | Databases are copied every night and kept for thirty days.
release | milestone | Release of the app | Version 2 of the visitors' app ships on 12 December.
invoice-format | preference | Invoices | The cooperative wants its bill as a PDF, one for each quarter.
cooperative | contact | Fishing cooperative | Manuela Ortega speaks for the fishermen and negotiates landing dues.
auction | fact | Fish auction | Fresh catch is auctioned at six in the morning in the long hall.
ice | fact | Ice machine | The ice machine makes two tonnes a day; fishermen pay per crate.
coffee | preference | Coffee | The board drinks it black, the yard with oat milk.
canteen | fact | Canteen | Lunch is served from noon to two; on Fridays there is soup.
vegetarian | preference | Meals of the board | Two members are vegetarian, and one is allergic to nuts.
keys | policy | Keys | Whoever loses a key pays forty euros and gets a new one from reception.
toilets | fact | Showers and toilets | Open day and night with the code on the mooring receipt.
laundry | fact | Laundry | Two washing machines stand in the cellar of the pilot house; tokens cost three euros.
bicycle | fact | Bicycles | Six bicycles can be borrowed without charge for a day.
taxi | contact | Taxi | Call Harbour Cars, and ask for Viktor after midnight.
doctor | contact | Doctor | Dr Amelie Fournier sees crews without an appointment until eleven.
customs | policy | Customs | Crews from outside the union report to the customs house within an hour.
flags | preference | Flags | We fly the county's flag on weekdays and the national one on holidays.
noise | policy | Noise | No engines or music between ten in the evening and seven in the morning.
fishing | policy | Angling | Rods are allowed on the breakwater only, with a day ticket.
swimming | policy | Swimming | Bathing in the basin is forbidden; the beach is behind the dunes.
training | milestone | First aid course | All of the staff are trained in resuscitation in September.
holidays | policy | Leave | Staff hand in their vacation plans before the end of January.
salary | policy | Pay day | Wages are transferred on the twenty-fifth.
sick | policy | Sick notes | A doctor's certificate is needed from the third day on.
remote | policy | Working from home | Bookkeeping may work from home on Tuesdays.
supplier | contact | Rope supplier | Hansen & Daughters deliver ropes and fenders within a week.
paint | preference | Antifouling | The yard uses copper-free paint only.
museum | fact | Museum | The ship museum shows the steam tug Hortensia.
tug | fact | Tug | The tug Barnabas is hired out with its captain at two hundred euros an hour.
`),
  questions: questions(`
When is the harbour office open? | hours | plain
Who is the harbour master? | master | plain
How much does mooring cost? | fees | plain
When does the ferry leave? | ferry | plain
Where can I buy diesel? | fuel | plain
What is the password of the guest network? | wifi | plain | test
When is the summer regatta? | regatta | plain | test
Are dogs allowed on the pier? | dogs | plain | test
When does the board meet? | board | plain | test
Can somebody fix a broken socket? | electrician power | synonym
Where do I wash my clothes? | laundry | synonym
Who hands out places for the winter? | yard | synonym
Can I have a bike for the day? | bicycle | synonym
Where do I leave used oil? | waste | synonym
When do employees get their wages? | salary | synonym
May I work at home on Tuesday? | remote | synonym | test
What do I pay when I lose a key? | keys | synonym | test
Which channel is the lifeboat on? | rescue | synonym | test
How deep is the entrance after dredging? | dredging | synonym | test
Is there something without meat for the vegetarians? | vegetarian | synonym | test
Where do visitors park their cars? | parking | synonym | test
Who is Jan Kowalsky? | master | typo
Opening huors of the office | hours | typo
Where is the laundery? | laundry | typo
When is the regata? | regatta | typo
What does the insurence have to cover? | insurance | typo
Who is Zelinski? | electrician | typo | test
Telephone of Dr Furnier | doctor | typo | test
the lighthuose on Sunday | lighthouse | typo | test
Is there a vegeterian? | vegetarian | typo | test
Who is Ingrid Sorensen? | master | typo | test
parkin permit | parking | typo | test
Which lifts are booked ahead? | crane-booking | other form
Are bathers forbidden in the basin? | swimming | other form
Visiting lighthouses | lighthouse | other form | test
Budgeting for pontoons | budget pontoon | other form | test
Registered thefts | police | other form | test
Repairing cables | electrician | other form | test
How many euros a night for my boat of nine metres? | fees | distractors
Which dock sells petrol in the evening? | fuel | distractors
How late does the office close in March? | hours-winter | distractors
How many euros an hour is the tug with its captain? | tug | distractors | test
On which pier must the water not be drunk? | water | distractors | test
What time does the fish auction start in the morning? | auction | distractors | test
Until when do I register for the regatta in July? | regatta | distractors | test
`),
};

const german: Corpus = {
  language: "german",
  memories: memories(`
zeiten | Regel | Öffnungszeiten | Das Büro hat werktags von neun bis fünf Uhr geöffnet.
meister | Kontakt | Hafenmeisterei | Jürgen Müller leitet die Hafenmeisterei, Telefon 0461 77.
kran | Fakt | Kran | Der Kran hebt achtzehn Tonnen und wird zwei Tage vorher gebucht.
liegeplatz | Regel | Liegeplätze | Ein Liegeplatz kostet zwölf Euro je Nacht bis zehn Meter Länge.
hunde | Regel | Hunde | Hunde sind an der Leine erlaubt, nur nicht an der Tankstelle.
tanken | Fakt | Tankstelle | Diesel und Benzin gibt es am Südkai bis zwanzig Uhr.
müll | Regel | Abfälle | Altöl und Farben gehören in den gelben Behälter hinter der Werkstatt.
fähre | Fakt | Fähre | Die Fähre zur Insel fährt um sieben und um sechzehn Uhr.
sturm | Regel | Sturmwarnung | Bei roter Flagge verlässt niemand den Hafen.
strom | Fakt | Stromanschlüsse | Die Steckdosen liefern sechzehn Ampere.
winter | Regel | Winterlager | Die Boote stehen von Oktober bis April in Halle B.
haus | Beschluss | Bootshaus | Die Bootshäuser am Nordufer werden im Mai gestrichen.
gehalt | Regel | Gehälter | Gehälter werden am fünfundzwanzigsten überwiesen.
urlaub | Regel | Urlaub | Urlaubspläne gibt man bis Ende Januar ab.
`),
  questions: questions(`
Wann ist das Büro geöffnet? | zeiten | plain
Wer leitet die Hafenmeisterei? | meister | plain
Was kostet ein Liegeplatz? | liegeplatz | plain | test
Wann werden die Häuser gestrichen? | haus | other form
Welche Kräne gibt es? | kran | other form | test
Wohin mit dem Abfall? | müll | other form | test
Wer ist Herr Muller? | meister | typo
Wann fährt die Fahre? | fähre | typo | test
Wo ist die Tanckstelle? | tanken | typo | test
Wie viel Strom liefert der Anschluss? | strom | synonym
Wo steht mein Boot im Winter? | winter | synonym | test
Wer ist der Hafenmeister? | meister | other form | test
`),
};

const french: Corpus = {
  language: "french",
  memories: memories(`
horaires | règle | Horaires | Le bureau du port est ouvert de neuf heures à dix-sept heures.
capitaine | contact | Capitaine du port | Amélie Lefèvre dirige la capitainerie.
grue | fait | Grue | La grue soulève dix-huit tonnes et se réserve deux jours avant.
chiens | règle | Chiens | Les chiens sont admis en laisse, sauf au quai à carburant.
bac | fait | Bac | Le bac pour l'île part à sept heures et à seize heures.
tempête | règle | Avis de tempête | Quand le drapeau rouge est hissé, personne ne quitte le port.
hiver | règle | Hivernage | Les bateaux sont gardés dans le hangar B d'octobre à avril.
salaires | règle | Salaires | Les salaires sont versés le vingt-cinq.
`),
  questions: questions(`
Quand le bureau est-il ouvert ? | horaires | plain
Qui est Amelie Lefevre ? | capitaine | typo
Puis-je réserver les grues ? | grue | other form | test
Mon chien est-il admis ? | chiens | other form | test
Quand le bateau est-il gardé en hiver ? | hiver | synonym | test
Quand verse-t-on le salaire ? | salaires | other form | test
`),
};

export const corpora: Corpus[] = [english, german, french];
