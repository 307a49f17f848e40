/** The styles of every program. */
import "./base.css";
import "./frame.css";
import "./header.css";
import "./parts.css";
import "./states.css";
import "./fields.css";
import "./buttons.css";
import "./popups.css";
import "./charts.css";
import "./tables.css";
import "./dialog.css";
import "./reading.css";
